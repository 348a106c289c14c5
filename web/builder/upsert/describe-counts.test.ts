import { expect, it } from 'vitest'
import { describeCounts } from './describe-counts.ts'

it.each([
  [{ numAdded: 1, numSkipped: 0, numDeleted: 0 }, '1 document added'],
  [{ numAdded: 0, numSkipped: 3, numDeleted: 0 }, '0 documents added, 3 already there'],
  [{ numAdded: 1200, numSkipped: 1, numDeleted: 2 }, '1,200 documents added, 1 already there, 2 deleted'],
])('counts of %j are told as “%s”', (counts, text) => {
  expect(describeCounts(counts)).toBe(text)
})
