/** Calls that fill the vector store of a flow. */
import { queryOptions } from '@tanstack/react-query'
import type { UpsertProgress } from '#contract/runs/events.ts'
import type { FlowUpsert, FlowUpsertHistory, UpsertEvent } from '#contract/upserts.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'
import { readEvents } from '../../chat/events.ts'

const UPSERTS = 'upserts'

/** Newest first. */
export const historyQuery = (flowId: string) =>
  queryOptions({
    queryKey: keys.one(UPSERTS, flowId),
    queryFn: () => api.get<FlowUpsertHistory[]>(`/upsert-history/${flowId}`),
  })

export interface Following {
  /** Ends the upsert; what was written stays. */
  signal: AbortSignal
  onProgress(progress: UpsertProgress): void
}

/** Throws an Error that says what failed, and the signal's reason when it is cancelled. */
export async function upsert(flowId: string, storeId: string, following: Following): Promise<FlowUpsert> {
  const { signal, onProgress } = following
  const body = { stopNodeId: storeId, streaming: true }
  try {
    const response = await api.stream(`/vector/internal-upsert/${flowId}`, body, signal)
    for await (const { event, data } of readEvents<UpsertEvent>(response)) {
      if (event === 'upsertProgress') onProgress(data)
      if (event === 'upserted') return data
      if (event === 'error') throw new Error(data)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    void invalidate(UPSERTS)
  }
  throw new Error('The connection was lost. Upsert again: what was written before is not written twice.')
}

export async function deleteEntries(ids: string[]): Promise<void> {
  await api.patch('/upsert-history', { ids })
  await invalidate(UPSERTS)
}
