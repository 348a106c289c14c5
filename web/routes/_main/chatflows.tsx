import { createFileRoute } from '@tanstack/react-router'
import { areaOf } from '#contract/areas.ts'
import { ChatflowsPage } from '../../areas/chatflows/ChatflowsPage.tsx'

export const Route = createFileRoute('/_main/chatflows')({
  staticData: areaOf('/chatflows'),
  component: ChatflowsPage,
})
