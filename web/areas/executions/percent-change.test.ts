import { expect, it } from 'vitest'
import { percentChange } from './percent-change.ts'

it.each([
  [10, 15, '+50 %'],
  [10, 5, '−50 %'],
  [1000, 1001, 'about the same'],
  [10, 10, 'the same'],
  [0, 5, '–'],
  [null, 5, '–'],
  [null, null, 'the same'],
])('from %s to %s is %s', (a, b, expected) => expect(percentChange({ a, b })).toBe(expected))
