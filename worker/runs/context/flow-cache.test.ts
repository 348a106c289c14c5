import { beforeEach, expect, it, vi } from 'vitest'

/** A fresh cache for each test. */
let cache: typeof import('./flow-cache.ts')
beforeEach(async () => {
  vi.resetModules()
  cache = await import('./flow-cache.ts')
})

const flowOf = (padding = 0) => JSON.stringify({ nodes: [], edges: [], padding: 'x'.repeat(padding) })
const edition = (id: string, version: number, incarnation = 'first') => ({ id, incarnation, version })
const keep = (id: string, version: number, padding = 0) => cache.parseAndKeep(edition(id, version), flowOf(padding))
const kept = (id: string) => [...cache.cachedDocuments(id).keys()]

it('keeps the versions of a flow apart', () => {
  const first = keep('a', 1)
  keep('a', 2)
  keep('b', 1)
  expect(kept('a')).toEqual(['first@1', 'first@2'])
  expect(cache.cachedDocuments('a').get('first@1')).toBe(first)
  expect(kept('c')).toEqual([])
})

it('keeps apart two flows that had the same id', () => {
  const before = keep('a', 1)
  const after = cache.parseAndKeep(edition('a', 1, 'second'), flowOf())
  expect(cache.cachedDocuments('a').get('first@1')).toBe(before)
  expect(cache.cachedDocuments('a').get('second@1')).toBe(after)
})

it('forgets the least recently used documents when it is full', () => {
  const half = 7_000_000
  keep('a', 1, half)
  keep('b', 1, half)
  cache.markUsed(edition('a', 1))
  const held = cache.cachedDocuments('b')
  keep('c', 1, half)
  expect([kept('a'), kept('b'), kept('c')]).toEqual([['first@1'], [], ['first@1']])
  // A read that was promised it still has it.
  expect(held.has('first@1')).toBe(true)
})

it('counts a version once when it is read again', () => {
  for (let i = 0; i < 5; i++) keep('a', 1, 7_000_000)
  keep('b', 1, 7_000_000)
  expect([kept('a'), kept('b')]).toEqual([['first@1'], ['first@1']])
})
