import { createFileRoute } from '@tanstack/react-router'
import { AgentCanvasPage } from '#web/areas/agentflows/AgentCanvasPage.tsx'

/** One route for a new flow and a stored one: the first save gives a flow its address, and the page stays. */
export const Route = createFileRoute('/_canvas/v2/agentcanvas/{-$id}')({
  staticData: { title: 'Agent flow', permission: 'agentflows:view' },
  component: () => <AgentCanvasPage flowId={Route.useParams().id} />,
})
