import { createFileRoute } from '@tanstack/react-router'
import { AgentCanvasPage } from '#web/areas/agentflows/AgentCanvasPage.tsx'

export const Route = createFileRoute('/_canvas/v2/agentcanvas/$id')({
  staticData: { title: 'Agent flow', permission: 'agentflows:view' },
  component: () => <AgentCanvasPage flowId={Route.useParams().id} />,
})
