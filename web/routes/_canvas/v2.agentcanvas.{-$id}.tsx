import { createFileRoute } from '@tanstack/react-router'
import { BuilderPage } from '../../builder/BuilderPage.tsx'
import { agentflowKind } from '../../canvas/kinds/agentflow/index.ts'

/** One route for a new flow and a stored one: the first save gives a flow its address, and the page stays. */
export const Route = createFileRoute('/_canvas/v2/agentcanvas/{-$id}')({
  staticData: { title: 'Agent flow', permission: 'agentflows:view' },
  component: () => <BuilderPage kind={agentflowKind} flowId={Route.useParams().id} />,
})
