import { expect, it } from 'vitest'
import { compareSearch, executionsSearch } from './search.ts'

it.each([
  [{}, {}],
  [
    { state: 'ERROR', page: 3 },
    { state: 'ERROR', page: 3 },
  ],
  [{ state: 'BROKEN', page: -1 }, {}],
  [{ sessionId: 42, agentflowName: '' }, { sessionId: '42' }],
  [{ startDate: '2026-03-09T00:00:00.000Z', endDate: 'soon' }, { startDate: '2026-03-09T00:00:00.000Z' }],
  [{ isStarred: true }, { isStarred: true }],
  [{ isStarred: 'no' }, {}],
  [{ other: 1 }, {}],
])('parses the search %j as %j', (search, expected) => expect(executionsSearch(search)).toEqual(expected))

it.each([
  [
    { a: 'x', b: 'y', step: 'llm_0#1' },
    { a: 'x', b: 'y', step: 'llm_0#1' },
  ],
  [{ a: '', other: 1 }, {}],
])('parses the compare search %j as %j', (search, expected) => expect(compareSearch(search)).toEqual(expected))
