import { expect, it } from 'vitest'
import { describeCounts, describeProgress } from './describe-counts.ts'

it.each([
  [{ numAdded: 1, numSkipped: 0, numDeleted: 0 }, '1 document added'],
  [{ numAdded: 0, numSkipped: 3, numDeleted: 0 }, '0 documents added, 3 already there'],
  [{ numAdded: 1200, numSkipped: 1, numDeleted: 2 }, '1,200 documents added, 1 already there, 2 deleted'],
])('counts of %j are told as “%s”', (counts, text) => {
  expect(describeCounts(counts)).toBe(text)
})

it.each([
  [{ sources: 0, done: 0, tokens: 0 }, 'Reading'],
  [{ sources: 1, done: 0, tokens: 0 }, 'Reading: 1 file or page'],
  [{ sources: 12, done: 0, tokens: 0 }, 'Reading: 12 files or pages'],
  [{ sources: 1, chunks: 1, done: 0, tokens: 0 }, '0 of 1 chunk'],
  [{ sources: 2, chunks: 1400, done: 64, tokens: 2000 }, '64 of 1,400 chunks, 2,000 tokens'],
])('progress of %j is told as “%s”', (progress, text) => {
  expect(describeProgress(progress)).toBe(text)
})
