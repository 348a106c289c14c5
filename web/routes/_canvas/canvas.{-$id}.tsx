import { createFileRoute } from '@tanstack/react-router'
import { BuilderPage } from '../../builder/BuilderPage.tsx'
import { chatflowKind } from '../../canvas/kinds/chatflow/index.tsx'

/** One route for new and stored flows, so that the page stays when the first save sets the id. */
export const Route = createFileRoute('/_canvas/canvas/{-$id}')({
  staticData: { title: 'Chat flow', permission: 'chatflows:view' },
  component: () => <BuilderPage kind={chatflowKind} flowId={Route.useParams().id} />,
})
