import { expect, it } from 'vitest'
import { percentChange } from './percent-change.ts'

it.each([
  [10, 15, '+50%'],
  [10, 5, '−50%'],
  [1000, 1001, '< 1%'],
  [10, 10, 'No change'],
  [0, 5, '–'],
  [null, 5, '–'],
  [null, null, '–'],
])('formats the change from %s to %s as %s', (a, b, expected) => expect(percentChange({ a, b })).toBe(expected))
