import { queryOptions } from '@tanstack/react-query'
import type { Retention } from '#contract/runs/retention.ts'
import { api } from './client.ts'
import { keys, queryClient } from './query.ts'

/** Reads how long the current workspace keeps its runs. */
export const retentionQuery = queryOptions({
  queryKey: keys.one('workspace', 'retention'),
  queryFn: () => api.get<Retention>('/workspace/retention'),
})

export async function saveRetention(retention: Retention): Promise<void> {
  queryClient.setQueryData(retentionQuery.queryKey, await api.put<Retention>('/workspace/retention', retention))
}
