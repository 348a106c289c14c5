/** What the execution pages ask of the API. */
import { queryOptions } from '@tanstack/react-query'
import type { TraceItem } from '#contract/events.ts'
import type { ExecutionDetail, ExecutionSummary } from '#contract/executions.ts'
import { api } from '../../api/client.ts'
import type { ExecutionFilters } from './search.ts'

export const PAGE_SIZE = 20
const RUNNING_POLL_MS = 2000

export const executionsQuery = (filters: ExecutionFilters, page: number) =>
  queryOptions({
    queryKey: ['executions', filters, page],
    queryFn: () =>
      api.get<{ data: ExecutionSummary[]; total: number }>('/executions', { ...filters, page, limit: PAGE_SIZE }),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) =>
      state.data?.data.some((execution) => execution.state === 'INPROGRESS') ? RUNNING_POLL_MS : false,
  })

const detailQuery = (path: string, id: string) =>
  queryOptions({
    queryKey: [path, id],
    queryFn: () => api.get<ExecutionDetail>(`/${path}/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => (state.data?.state === 'INPROGRESS' ? RUNNING_POLL_MS : false),
    retry: false,
  })

export const executionQuery = (id: string) => detailQuery('executions', id)
export const publicExecutionQuery = (id: string) => detailQuery('public-executions', id)

export const shareExecution = (id: string, isPublic: boolean) => api.put(`/executions/${id}`, { isPublic })
export const deleteExecutions = (executionIds: string[]) => api.delete('/executions', undefined, { executionIds })

/** The steps of an execution; a trace that cannot be read is an empty one. */
export function traceOf(execution: ExecutionDetail): TraceItem[] {
  const trace: unknown = JSON.parse(execution.executionData || '[]')
  return Array.isArray(trace) ? (trace as TraceItem[]) : []
}

/** Milliseconds that the run took; up to `now` while it goes on. */
export const elapsedOf = (execution: ExecutionSummary, now = Date.now()): number =>
  execution.duration ?? Math.max(0, now - Date.parse(execution.createdDate))
