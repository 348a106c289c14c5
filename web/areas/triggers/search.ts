/** URL search parameters of the trigger pages. Pure. */
import type { DeliverySource, DeliveryState, TriggerState } from '#contract/triggers/index.ts'
import type { TriggerKind } from '#contract/triggers/settings.ts'

// Every page loads the search parsers of all routes, so they can't import the contract's schemas.
const triggerStates: readonly TriggerState[] = ['active', 'paused', 'failing', 'ended']
const triggerKinds: readonly TriggerKind[] = ['schedule', 'webhook']
const deliveryStates: readonly DeliveryState[] = ['queued', 'running', 'succeeded', 'dead', 'skipped', 'refused']
const deliverySources: readonly DeliverySource[] = ['schedule', 'webhook', 'manual', 'replay']

export interface TriggerFilters {
  state?: TriggerState
  kind?: TriggerKind
  search?: string
}

interface TriggersSearch extends TriggerFilters {
  page?: number
}

export interface DeliveryFilters {
  state?: DeliveryState
  source?: DeliverySource
  /** ISO timestamps. */
  startDate?: string
  endDate?: string
}

export interface TriggerSearch extends DeliveryFilters {
  /** Id of the expanded delivery. */
  delivery?: string
}

/** Returns the valid filters of a URL's search and drops everything else. */
export function triggersSearch(search: Record<string, unknown>): TriggersSearch {
  const page = Number(search.page)
  return withoutUndefined({
    state: oneOf(triggerStates, search.state),
    kind: oneOf(triggerKinds, search.kind),
    search: text(search.search),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  })
}

export function triggerSearch(search: Record<string, unknown>): TriggerSearch {
  return withoutUndefined({
    state: oneOf(deliveryStates, search.state),
    source: oneOf(deliverySources, search.source),
    startDate: date(search.startDate),
    endDate: date(search.endDate),
    delivery: text(search.delivery),
  })
}

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value)

// The router parses all-digit values as numbers.
const text = (value: unknown) =>
  (typeof value === 'string' && value) || typeof value === 'number' ? String(value) : undefined

const date = (value: unknown) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined)

function withoutUndefined<Search extends object>(search: Search): Partial<Search> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Partial<Search>
}
