/** Calls that fill the vector store of a flow. */
import { queryOptions } from '@tanstack/react-query'
import type { AcceptedJob } from '#contract/document-stores/jobs.ts'
import type { FlowUpsertHistory, FlowUpsertJob } from '#contract/upserts/upserts.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const UPSERTS = 'upserts'

/** Newest first. */
export const historyQuery = (flowId: string) =>
  queryOptions({
    queryKey: keys.one(UPSERTS, flowId),
    queryFn: () => api.get<FlowUpsertHistory[]>(`/upsert-history/${flowId}`),
  })

/** The newest upsert that was started on the canvas, in this tab or another one; read again while it goes on. */
export const jobQuery = (flowId: string) =>
  queryOptions({
    queryKey: [...keys.one(UPSERTS, flowId), 'job'],
    queryFn: async () => (await api.get<{ job: FlowUpsertJob | null }>(pathOf(flowId))).job,
    refetchInterval: ({ state }) => (isWorking(state.data) ? POLL_MS : false),
    staleTime: 0,
  })

const POLL_MS = 1000
const pathOf = (flowId: string) => `/vector/internal-upsert/${flowId}`

export const isWorking = (job: FlowUpsertJob | null | undefined): boolean =>
  job?.state === 'queued' || job?.state === 'running'

/** Returns the id of the upsert. Throws ApiError that says what the flow lacks. */
export async function startUpsert(flowId: string, storeId: string): Promise<string> {
  const body = { stopNodeId: storeId }
  return (await thenReload(api.post<AcceptedJob>(`${pathOf(flowId)}?async=true`, body))).jobId
}

/** Keeps what was already written. */
export const cancelUpsert = (flowId: string) => thenReload(api.delete<FlowUpsertJob>(pathOf(flowId)))

/** Once an upsert has ended. */
export const reloadHistory = () => invalidate(UPSERTS)

async function thenReload<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } finally {
    await invalidate(UPSERTS)
  }
}

export async function deleteEntries(ids: string[]): Promise<void> {
  await thenReload(api.patch('/upsert-history', { ids }))
}
