import { describe, expect, it } from 'vitest'
import { parseFilter } from '#contract/document-stores/filter.ts'
import { BoundedCache } from '../cache/bounded-cache.ts'
import { matchesFilter } from './matches-filter.ts'
import { storeRetriever } from './open-retriever.ts'

describe('a filter in memory', () => {
  const chunks = {
    en: { lang: 'en', year: 2020, tags: ['a', 'b'] },
    de: { lang: 'de', year: 2021.5, draft: true },
    fr: { lang: 'fr', year: '2022', tags: [] },
  }

  it.each<[object, string[]]>([
    [{ lang: 'en' }, ['en']],
    [{ lang: { $ne: 'en' } }, ['de', 'fr']],
    [{ year: { $gte: 2020 } }, ['en', 'de']],
    [{ year: { $gt: 2020, $lt: 2022 } }, ['de']],
    [{ year: 2022 }, []],
    [{ lang: { $in: ['en', 'fr'] } }, ['en', 'fr']],
    [{ lang: { $nin: ['en', 'fr'] } }, ['de']],
    [{ tags: 'b' }, ['en']],
    [{ draft: { $exists: false } }, ['en', 'fr']],
    [{ $or: [{ lang: 'en' }, { draft: true }] }, ['en', 'de']],
    [{ $not: { year: { $gte: 2021 } } }, ['en', 'fr']],
    [{ constructor: { $exists: true } }, []],
  ])('%j finds %j', (filter, expected) => {
    const tree = parseFilter(filter)
    if (!tree) throw new Error('The filter is empty')
    const found = Object.entries(chunks).filter(([, metadata]) => matchesFilter(metadata, tree))
    expect(found.map(([name]) => name)).toEqual(expected)
  })
})

describe('the vectors of an isolate', () => {
  it('leave when they are too many, those used longest ago first', () => {
    const cache = new BoundedCache<Float32Array>(2 * (4 * 100 + 200), ({ byteLength }) => byteLength)
    const vector = () => new Float32Array(100)
    cache.set('one', vector())
    cache.set('two', vector())
    cache.get('one')
    cache.set('three', vector())
    expect(['one', 'two', 'three'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true])
  })
})

describe('a retriever over a vector store', () => {
  const found = [
    ['a', [1, 0], 1],
    ['a again', [1, 0], 0.99],
    ['b', [0, 1], 0.5],
  ] as const
  const asked: unknown[] = []
  const store = {
    async find(_query: string, scope?: { topK?: number }) {
      asked.push(scope)
      return found
        .slice(0, scope?.topK)
        .map(([pageContent, , score]) => ({ document: { pageContent, metadata: {} }, score }))
    },
    embed: async (texts: string[]) =>
      texts.map((text) => Float32Array.from(found.find(([name]) => name === text)?.[1] ?? [])),
  }

  it.each([
    [{ topK: 2 }, ['a', 'a again'], 2],
    [{ topK: '2', searchType: 'mmr' }, ['a', 'b'], 20],
    [{ topK: 2, searchType: 'mmr', lambda: 1, fetchK: 3 }, ['a', 'a again'], 3],
    [{ topK: 1000 }, ['a', 'a again', 'b'], 100],
  ])('with %j finds %j', async (inputs, expected, looked) => {
    const documents = await storeRetriever(store, { inputs }).search('q')
    expect(documents.map(({ pageContent }) => pageContent)).toEqual(expected)
    expect(asked.at(-1)).toEqual({ topK: looked })
  })
})
