import { expect, it } from 'vitest'
import { formatCost, formatDuration, usageCost } from './format.ts'

it.each([
  [12.4, '12 ms'],
  [2_400, '2.4 s'],
  [185_000, '3 min 05 s'],
])('%d ms reads %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

it.each([
  [0, 'free'],
  [0.00001, '< $0.0001'],
  [0.0012, '$0.0012'],
  [1.25, '$1.25'],
])('%d dollars read %s', (dollars, text) => expect(formatCost(dollars)).toBe(text))

it('marks a cost that leaves out unknown prices', () => {
  expect(usageCost({ total_cost: 1.25 })).toBe('$1.25')
  expect(usageCost({ total_cost: 1.25, cost_is_partial: true })).toBe('at least $1.25')
  expect(usageCost({})).toBeUndefined()
})
