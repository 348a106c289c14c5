/** What the execution pages ask of the API. */
import { queryOptions } from '@tanstack/react-query'
import type { RunState, TraceItem } from '#contract/events.ts'
import type {
  DeletedExecutions,
  ExecutionDetail,
  ExecutionSummary,
  SharedExecution,
  UpdateExecution,
} from '#contract/executions.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { nextPollMs } from './poll-interval.ts'
import type { ExecutionFilters } from './search.ts'

export const PAGE_SIZE = 20
export const EXECUTIONS = 'executions'
export const PUBLIC_EXECUTIONS = 'public-executions'

export interface ExecutionList {
  data: ExecutionSummary[]
  total: number
}

export const executionsQuery = (filters: ExecutionFilters, page: number) =>
  queryOptions({
    queryKey: keys.list(EXECUTIONS, { ...filters, page }),
    queryFn: () => api.get<ExecutionList>('/executions', { ...filters, page, limit: PAGE_SIZE }),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => {
      const running = state.data?.data.find((execution) => execution.state === 'INPROGRESS')
      return running ? nextPollMs('INPROGRESS', running.createdDate) : false
    },
  })

/** The runs that one called. */
export const calledRunsQuery = (parentExecutionId: string) =>
  queryOptions({
    queryKey: keys.list(EXECUTIONS, { parentExecutionId }),
    queryFn: () => api.get<ExecutionList>('/executions', { parentExecutionId, limit: 100 }),
  })

export const executionQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(EXECUTIONS, id),
    queryFn: () => api.get<ExecutionDetail>(`/executions/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => lookAgain(state.data),
    retry: false,
  })

export const publicExecutionQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(PUBLIC_EXECUTIONS, id),
    queryFn: () => api.get<SharedExecution>(`/public-executions/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => lookAgain(state.data),
    retry: false,
  })

export const updateExecution = (id: string, change: UpdateExecution) => api.put(`/executions/${id}`, change)
export const deleteExecutions = (executionIds: string[]) =>
  api.delete<DeletedExecutions>('/executions', undefined, { executionIds })

/** Stops a run, also one that waits, with the runs that it called. */
export const stopExecution = ({ agentflowId, chatId }: Pick<ExecutionSummary, 'agentflowId' | 'chatId'>) =>
  api.put(`/chatmessage/abort/${agentflowId}/${encodeURIComponent(chatId)}`)

const lookAgain = (execution: Traced | undefined) =>
  execution ? nextPollMs(execution.state, lastSign(execution)) : false

interface Traced {
  state: RunState
  createdDate: string
  executionData: string
}

/** The steps of an execution; a trace that cannot be read is an empty one. */
export function traceOf({ executionData }: Pick<Traced, 'executionData'>): TraceItem[] {
  const trace: unknown = JSON.parse(executionData || '[]')
  return Array.isArray(trace) ? (trace as TraceItem[]) : []
}

/** The steps of a replay that finished before it began are those that it took over. */
export const isCopied = (
  { replayOf, createdDate }: Pick<ExecutionDetail, 'replayOf' | 'createdDate'>,
  { finishedAt = '' }: TraceItem,
): boolean => replayOf !== null && finishedAt < createdDate

/** When the run was last heard of. */
function lastSign(execution: Traced): string {
  return traceOf(execution).reduce(
    (last, { finishedAt = '' }) => (finishedAt > last ? finishedAt : last),
    execution.createdDate,
  )
}

/** Milliseconds that the run worked; up to `now` while it goes on. */
export const elapsedOf = (execution: Pick<ExecutionSummary, 'duration' | 'createdDate'>, now = Date.now()): number =>
  execution.duration ?? Math.max(0, now - Date.parse(execution.createdDate))
