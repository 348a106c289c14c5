import { queryOptions } from '@tanstack/react-query'
import type { SessionUser } from '#contract/account/account.ts'
import type { Workspace, WorkspaceList, WorkspaceUsers } from '#contract/organization/workspaces.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'
import { setSession } from '../../api/session.ts'

const AREA = 'workspaces'

export const workspacesQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => api.get<WorkspaceList>('/workspaces'),
})

export const workspaceUsersQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(AREA, id),
    queryFn: () => api.get<WorkspaceUsers>(`/workspaces/${id}/users`),
  })

/** Creates a workspace, or renames the one with `id`. */
export async function saveWorkspace(name: string, id?: string): Promise<Workspace> {
  const saved = await (id
    ? api.put<Workspace>(`/workspaces/${id}`, { name })
    : api.post<Workspace>('/workspaces', { name }))
  await reload()
  return saved
}

export async function deleteWorkspace({ id, name }: Pick<Workspace, 'id' | 'name'>): Promise<void> {
  await api.delete(`/workspaces/${id}`, undefined, { name })
  await reload()
}

export async function restoreWorkspace(id: string): Promise<void> {
  await api.post(`/workspaces/${id}/restore`)
  await reload()
}

/** The switcher lists what the session knows. */
async function reload(): Promise<void> {
  setSession(await api.get<SessionUser>('/auth/me'))
  await invalidate(AREA)
}

export async function addUser(workspaceId: string, user: { email: string; roleId: string }): Promise<void> {
  await api.post(`/workspaces/${workspaceId}/users`, user)
  await invalidate(AREA)
}

export async function changeRole(workspaceId: string, { userId, roleId }: { userId: string; roleId: string }) {
  await api.put(`/workspaces/${workspaceId}/users/${userId}`, { roleId })
  await invalidate(AREA)
}

export async function removeUser(workspaceId: string, userId: string): Promise<void> {
  await api.delete(`/workspaces/${workspaceId}/users/${userId}`)
  await invalidate(AREA)
}
