/** API calls of the execution pages. */
import { queryOptions } from '@tanstack/react-query'
import type { RunState, TraceItem } from '#contract/runs/events.ts'
import type {
  DeletedExecutions,
  ExecutionDetail,
  ExecutionSummary,
  SharedExecution,
  UpdateExecution,
} from '#contract/runs/executions.ts'
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

/** Loads the runs that a run called. */
export const calledRunsQuery = (parentExecutionId: string) =>
  queryOptions({
    queryKey: keys.list(EXECUTIONS, { parentExecutionId }),
    queryFn: () => api.get<ExecutionList>('/executions', { parentExecutionId, limit: 100 }),
  })

export const executionQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(EXECUTIONS, id),
    queryFn: () => api.get<ExecutionDetail>(`/executions/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => pollInterval(state.data),
    retry: false,
  })

export const publicExecutionQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(PUBLIC_EXECUTIONS, id),
    queryFn: () => api.get<SharedExecution>(`/public-executions/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => pollInterval(state.data),
    retry: false,
  })

export const updateExecution = (id: string, change: UpdateExecution) => api.put(`/executions/${id}`, change)
export const deleteExecutions = (executionIds: string[]) =>
  api.delete<DeletedExecutions>('/executions', undefined, { executionIds })

/** Stops a running or waiting run and the runs that it called. */
export const stopExecution = ({ agentflowId, chatId }: Pick<ExecutionSummary, 'agentflowId' | 'chatId'>) =>
  api.put(`/chatmessage/abort/${agentflowId}/${encodeURIComponent(chatId)}`)

const pollInterval = (execution: TracedRun | undefined) =>
  execution ? nextPollMs(execution.state, lastActivity(execution)) : false

interface TracedRun {
  state: RunState
  createdDate: string
  executionData: string
}

/** Returns the steps of an execution; empty when the stored trace is not a list. */
export function parseTrace({ executionData }: Pick<TracedRun, 'executionData'>): TraceItem[] {
  const trace: unknown = JSON.parse(executionData || '[]')
  return Array.isArray(trace) ? (trace as TraceItem[]) : []
}

/** Returns true for steps that a replay reused: they finished before it started. */
export const isCopied = (
  { replayOf, createdDate }: Pick<ExecutionDetail, 'replayOf' | 'createdDate'>,
  { finishedAt = '' }: TraceItem,
): boolean => replayOf !== null && finishedAt < createdDate

/** Returns the ISO time of the last finished step, or of the start. */
function lastActivity(execution: TracedRun): string {
  return parseTrace(execution).reduce(
    (last, { finishedAt = '' }) => (finishedAt > last ? finishedAt : last),
    execution.createdDate,
  )
}

/** Returns the run's duration in milliseconds, up to `now` while it is running. */
export const elapsedOf = (execution: Pick<ExecutionSummary, 'duration' | 'createdDate'>, now = Date.now()): number =>
  execution.duration ?? Math.max(0, now - Date.parse(execution.createdDate))
