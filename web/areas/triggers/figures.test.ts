import { expect, it } from 'vitest'
import { successRate } from './figures.ts'

it.each([
  [0, 0, '–'],
  [1, 0, '100%'],
  [999, 1, '99%'],
  [1, 2, '33%'],
  [0, 4, '0%'],
])('computes the success rate of %d succeeded and %d failed runs as %s', (succeeded, dead, text) => {
  expect(successRate({ succeeded, dead })).toBe(text)
})
