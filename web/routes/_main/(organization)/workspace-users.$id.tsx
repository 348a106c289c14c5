import { createFileRoute } from '@tanstack/react-router'
import { WorkspaceUsersPage } from '../../../areas/workspaces/WorkspaceUsersPage.tsx'

export const Route = createFileRoute('/_main/(organization)/workspace-users/$id')({
  staticData: { title: 'People in the workspace', permission: 'workspace:view', feature: 'feat:workspaces' },
  component: Page,
})

function Page() {
  const { id } = Route.useParams()
  return <WorkspaceUsersPage key={id} id={id} />
}
