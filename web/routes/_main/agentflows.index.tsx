import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { AgentflowsPage } from '../../areas/agentflows/AgentflowsPage.tsx'

export const Route = createFileRoute('/_main/agentflows/')({
  staticData: areaOf('/agentflows'),
  component: AgentflowsPage,
})
