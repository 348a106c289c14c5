import { queryOptions } from '@tanstack/react-query'
import type { PermissionGroup } from '#contract/access/group.ts'
import type { ApiKey, CreateApiKey, NewApiKey } from '#contract/apikeys/apikeys.ts'
import type { FlowList } from '#contract/chatflows/flow-summary.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'apikey'

export const apiKeysQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => api.get<ApiKey[]>('/apikey'),
})

const MOST_FLOWS = 200

/** Loads the flows that a key can be limited to, most recently updated first. */
export const runnableFlowsQuery = queryOptions({
  queryKey: keys.list('chatflows', { runnable: true, of: AREA }),
  queryFn: async () => {
    return (await api.get<FlowList>('/chatflows-list', { runnable: true, limit: MOST_FLOWS })).data
  },
})

/** Loads the permissions that the user can grant to a key. */
export const grantableQuery = queryOptions({
  queryKey: keys.one(AREA, 'grantable'),
  queryFn: () => api.get<PermissionGroup[]>('/permissions'),
})

/** Returns the new key, which can't be read again. */
export async function createApiKey(fields: CreateApiKey): Promise<NewApiKey> {
  const created = await api.post<NewApiKey>('/apikey', fields)
  await invalidate(AREA)
  return created
}

export async function updateApiKey(id: string, fields: CreateApiKey): Promise<void> {
  await api.put(`/apikey/${id}`, fields)
  await invalidate(AREA)
}

export async function deleteApiKey(id: string): Promise<void> {
  await api.delete(`/apikey/${id}`)
  await invalidate(AREA)
}
