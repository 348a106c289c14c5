/** URL search parameters of the execution pages. Pure. */
import type { RunState } from '#contract/runs/events.ts'

export interface ExecutionFilters {
  state?: RunState
  agentflowName?: string
  sessionId?: string
  /** Only starred executions. */
  isStarred?: true
  /** ISO timestamps. */
  startDate?: string
  endDate?: string
}

interface ExecutionsSearch extends ExecutionFilters {
  page?: number
}

const states: readonly string[] = ['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED', 'TIMEOUT']

/** Returns the valid filters of a URL's search and drops everything else. */
export function executionsSearch(search: Record<string, unknown>): ExecutionsSearch {
  const page = Number(search.page)
  return withoutUndefined({
    state: states.includes(String(search.state)) ? (search.state as RunState) : undefined,
    agentflowName: text(search.agentflowName),
    sessionId: text(search.sessionId),
    isStarred: search.isStarred === true || undefined,
    startDate: date(search.startDate),
    endDate: date(search.endDate),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  })
}

// The router parses an all-digit session id as a number.
const text = (value: unknown) =>
  (typeof value === 'string' && value) || typeof value === 'number' ? String(value) : undefined

const date = (value: unknown) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined)

function withoutUndefined<Search extends object>(search: Search): Partial<Search> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Partial<Search>
}

interface CompareSearch {
  /** Ids of the runs to compare. */
  a?: string
  b?: string
  /** Path of the expanded step. */
  step?: string
}

export function compareSearch(search: Record<string, unknown>): CompareSearch {
  return withoutUndefined({ a: text(search.a), b: text(search.b), step: text(search.step) })
}
