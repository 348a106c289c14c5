/** The execution list's filters and page, as the URL holds them. Pure. */
import type { RunState } from '#contract/events.ts'

export interface ExecutionFilters {
  state?: RunState
  agentflowName?: string
  sessionId?: string
  /** ISO times. */
  startDate?: string
  endDate?: string
}

export interface ExecutionsSearch extends ExecutionFilters {
  page?: number
}

const states: readonly string[] = ['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED', 'TIMEOUT']

/** What of a URL's search is a filter; anything else is dropped. */
export function executionsSearch(search: Record<string, unknown>): ExecutionsSearch {
  const page = Number(search.page)
  return withoutEmpty({
    state: states.includes(String(search.state)) ? (search.state as RunState) : undefined,
    agentflowName: text(search.agentflowName),
    sessionId: text(search.sessionId),
    startDate: date(search.startDate),
    endDate: date(search.endDate),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  })
}

// A session id of digits arrives as a number.
const text = (value: unknown) =>
  (typeof value === 'string' && value) || typeof value === 'number' ? String(value) : undefined

const date = (value: unknown) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined)

const withoutEmpty = (search: ExecutionsSearch): ExecutionsSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
