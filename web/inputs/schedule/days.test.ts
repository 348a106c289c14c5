import { expect, it } from 'vitest'
import { type MonthDay, monthDaysOf, toggled, weekdaysOf } from './days.ts'

it.each([
  ['1,3', [1, 3]],
  ['["1","7"]', [1, 7]],
  [
    [0, 2],
    [7, 2],
  ],
  ['0', [7]],
  ['', []],
  [undefined, []],
  [5, [5]],
])('parses the weekdays %j', (stored, days) => expect(weekdaysOf(stored)).toEqual(days))

it.each([
  ['1,31,L', [1, 31, 'L']],
  ['["15","l"]', [15, 'L']],
  [null, []],
])('parses the days of the month %j', (stored, days) => expect(monthDaysOf(stored)).toEqual(days))

it('keeps days sorted', () => {
  expect(toggled([1, 5], 3)).toEqual([1, 3, 5])
  expect(toggled([1, 3, 5], 3)).toEqual([1, 5])
  expect(toggled<MonthDay>(['L'], 31)).toEqual([31, 'L'])
})
