/** The workspaces of the session and of this tab. */
import type { SessionUser } from '#contract/account/account.ts'
import { api } from './client.ts'
import { queryClient } from './query.ts'
import { setSession } from './session.ts'
import { showWorkspace } from './shown-workspace.ts'

/** Goes on in another workspace, on its home page: nothing that this tab has loaded belongs there. */
export async function switchTo(workspaceId: string): Promise<void> {
  setSession(await api.post<SessionUser>(`/workspaces/${workspaceId}/switch`))
  leaveFor('/app')
}

/** Makes the workspace that this tab shows the active one again. */
export async function switchBack(workspaceId: string): Promise<void> {
  const user = await api.post<SessionUser>(`/workspaces/${workspaceId}/switch`)
  showWorkspace(user.id, user.activeWorkspaceId)
  setSession(user)
  await queryClient.invalidateQueries()
}

/** Follows the session into the workspace that is active by now. */
export async function goOn(): Promise<void> {
  setSession(await api.get<SessionUser>('/auth/me'))
  leaveFor('/app')
}

/** Loads a page anew. It is not this tab's cache that fills it. */
function leaveFor(path: string): void {
  queryClient.clear()
  window.location.assign(path)
}
