import { expect, it } from 'vitest'
import { relativeTime } from './relative-time.ts'

const hour = 3_600_000

it.each([
  [0, 'just now'],
  [-59_000, 'just now'],
  [59_000, 'in less than a minute'],
  [-60_000, '1 minute ago'],
  [-3 * hour, '3 hours ago'],
  [-24 * hour, 'yesterday'],
  [-49 * hour, '2 days ago'],
  [2 * hour, 'in 2 hours'],
  [26 * hour, 'in 1 day'],
  [40 * hour, 'in 2 days'],
  [-400 * 24 * hour, 'last year'],
])('formats an offset of %d ms as %s', (offset, text) => {
  expect(relativeTime(offset, 0)).toBe(text)
})
