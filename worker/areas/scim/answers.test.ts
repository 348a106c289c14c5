import { expect, it } from 'vitest'
import { MAX_RESULTS } from '#contract/scim/resources.ts'
import { pageOf } from './answers.ts'

it.each([
  [{}, { startIndex: 1, count: MAX_RESULTS }],
  [
    { startIndex: 3, count: 10 },
    { startIndex: 3, count: 10 },
  ],
  [{ count: 1_000_000 }, { startIndex: 1, count: MAX_RESULTS }],
  [
    { startIndex: -5, count: -1 },
    { startIndex: 1, count: 0 },
  ],
])('takes %j as a page of at most 200 results', (query, page) => {
  expect(pageOf(query)).toEqual(page)
})
