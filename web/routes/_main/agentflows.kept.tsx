import { createFileRoute } from '@tanstack/react-router'
import { KeptFlowsPage } from '#web/areas/agentflows/KeptFlowsPage.tsx'

export const Route = createFileRoute('/_main/agentflows/kept')({
  staticData: { title: 'Kept flows', permission: 'chatflows:view' },
  component: KeptFlowsPage,
})
