import { queryOptions } from '@tanstack/react-query'
import type { Role, RoleFields } from '#contract/organization/members.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'roles'

export const rolesQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => api.get<Role[]>('/roles'),
})

/** Permissions that the user may put into roles. */
export const givableQuery = queryOptions({
  queryKey: keys.one(AREA, 'permissions'),
  queryFn: () => api.get<string[]>('/roles/permissions'),
})

/** Creates a role, or changes the one with `id`, whose kind stays. */
export async function saveRole({ kind, ...fields }: RoleFields, id?: string): Promise<void> {
  if (id) await api.put(`/roles/${id}`, fields)
  else await api.post('/roles', { ...fields, kind })
  await invalidate(AREA)
}

export async function deleteRole(id: string): Promise<void> {
  await api.delete(`/roles/${id}`)
  await invalidate(AREA)
}
