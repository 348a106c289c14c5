import { describe, expect, it } from 'vitest'
import { formatCount, formatFileSize, truncate } from './format.ts'

describe('formatFileSize', () => {
  it.each([
    [0, '0 Bytes'],
    [-1, '0 Bytes'],
    [Number.NaN, '0 Bytes'],
    [1, '1 Bytes'],
    [1023, '1023 Bytes'],
    [1024, '1.00 KB'],
    [1536, '1.50 KB'],
    [1024 ** 2 - 1, '1.00 MB'],
    [1024 ** 3 * 2.345, '2.35 GB'],
    [1024 ** 8, '1.00 YB'],
    [1024 ** 9, '1024.00 YB'],
  ])('%d → %s', (bytes, text) => expect(formatFileSize(bytes)).toBe(text))
})

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1k'],
    [1500, '1.5k'],
    [1549, '1.5k'],
    [999_949, '999.9k'],
    [999_950, '1M'],
    [2e6, '2M'],
    [3.2e9, '3.2G'],
    [1e12, '1T'],
    [1e15, '1P'],
    [1e18, '1E'],
    [1e21, '1000E'],
    [-1500, '-1.5k'],
  ])('%d → %s', (count, text) => expect(formatCount(count)).toBe(text))
})

describe('truncate', () => {
  it.each([
    ['hello', 5, 'hello'],
    ['hello!', 5, 'hello...'],
    ['', 3, ''],
    ['👍👍👍', 3, '👍👍👍'],
    ['👍👍👍', 2, '👍👍...'],
  ])('%s to %d: %s', (text, length, expected) => expect(truncate(text, length)).toBe(expected))
})
