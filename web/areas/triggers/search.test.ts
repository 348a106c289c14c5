import { expect, it } from 'vitest'
import { DELIVERY_SOURCES, DELIVERY_STATES, TRIGGER_STATES } from '#contract/triggers/index.ts'
import { TRIGGER_KINDS } from '#contract/triggers/settings.ts'
import { triggerSearch, triggersSearch } from './search.ts'

it('accepts every trigger state, kind and delivery source of the contract', () => {
  expect(TRIGGER_STATES.map((state) => triggersSearch({ state }).state)).toEqual([...TRIGGER_STATES])
  expect(TRIGGER_KINDS.map((kind) => triggersSearch({ kind }).kind)).toEqual([...TRIGGER_KINDS])
  expect(DELIVERY_STATES.map((state) => triggerSearch({ state }).state)).toEqual([...DELIVERY_STATES])
  expect(DELIVERY_SOURCES.map((source) => triggerSearch({ source }).source)).toEqual([...DELIVERY_SOURCES])
})

it('drops search parameters that are not valid filters', () => {
  expect(triggersSearch({ state: 'dead', kind: 7, search: '', page: '1', more: 1 })).toEqual({})
  expect(triggersSearch({ search: 42, page: '3' })).toEqual({ search: '42', page: 3 })
  expect(triggerSearch({ startDate: 'soon', endDate: '2026-03-09T00:00:00.000Z', delivery: 'd1' })).toEqual({
    endDate: '2026-03-09T00:00:00.000Z',
    delivery: 'd1',
  })
})
