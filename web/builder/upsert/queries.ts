/** Calls that fill the vector store of a flow. */
import { queryOptions } from '@tanstack/react-query'
import type { FlowUpsert, FlowUpsertHistory } from '#contract/upserts.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const UPSERTS = 'upserts'

/** Newest first. */
export const historyQuery = (flowId: string) =>
  queryOptions({
    queryKey: keys.one(UPSERTS, flowId),
    queryFn: () => api.get<FlowUpsertHistory[]>(`/upsert-history/${flowId}`),
  })

/** Throws ApiError that says what failed. */
export async function upsert(flowId: string, storeId: string): Promise<FlowUpsert> {
  const result = await api.post<FlowUpsert>(`/vector/internal-upsert/${flowId}`, { stopNodeId: storeId })
  await invalidate(UPSERTS)
  return result
}

export async function deleteEntries(ids: string[]): Promise<void> {
  await api.patch('/upsert-history', { ids })
  await invalidate(UPSERTS)
}
