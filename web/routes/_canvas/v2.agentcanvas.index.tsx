import { createFileRoute } from '@tanstack/react-router'
import { AgentCanvasPage } from '#web/areas/agentflows/AgentCanvasPage.tsx'

export const Route = createFileRoute('/_canvas/v2/agentcanvas/')({
  staticData: { title: 'New agent flow', permission: 'agentflows:view' },
  component: () => <AgentCanvasPage />,
})
