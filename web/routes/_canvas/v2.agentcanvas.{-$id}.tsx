import { createFileRoute } from '@tanstack/react-router'
import { BuilderPage } from '../../builder/BuilderPage.tsx'
import { agentflowKind } from '../../canvas/kinds/agentflow/index.ts'

/** One route for new and stored flows, so that the page stays when the first save sets the id. */
export const Route = createFileRoute('/_canvas/v2/agentcanvas/{-$id}')({
  staticData: { title: 'Agent flow', permission: 'agentflows:view' },
  component: () => <BuilderPage kind={agentflowKind} flowId={Route.useParams().id} />,
})
