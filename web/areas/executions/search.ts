/** The execution list's filters and page, as the URL holds them. Pure. */
import type { RunState } from '#contract/events.ts'

export interface ExecutionFilters {
  state?: RunState
  agentflowName?: string
  sessionId?: string
  /** Only those kept as test cases. */
  isStarred?: true
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
    isStarred: search.isStarred === true || undefined,
    startDate: date(search.startDate),
    endDate: date(search.endDate),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  })
}

// A session id of digits arrives as a number.
const text = (value: unknown) =>
  (typeof value === 'string' && value) || typeof value === 'number' ? String(value) : undefined

const date = (value: unknown) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined)

function withoutEmpty<Search extends object>(search: Search): Partial<Search> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Partial<Search>
}

export interface CompareSearch {
  /** Ids of the two runs. */
  a?: string
  b?: string
  /** Path of the step whose outputs are open. */
  step?: string
}

export function compareSearch(search: Record<string, unknown>): CompareSearch {
  return withoutEmpty({ a: text(search.a), b: text(search.b), step: text(search.step) })
}
