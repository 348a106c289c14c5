import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuseRanks } from './fuse-ranks.ts'
import { keywordRanks } from './keyword-ranks.ts'
import { pickDiverse } from './pick-diverse.ts'

describe('fuseRanks', () => {
  it.each<[string, string[][], string[]]>([
    ['nothing', [], []],
    ['one list, which keeps its order', [['a', 'b', 'c']], ['a', 'b', 'c']],
    [
      'what both found first',
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
      ['b', 'a', 'c'],
    ],
    ['equal ranks in the order of the lists', [['a'], ['b']], ['a', 'b']],
    ['an id that one list has twice, once', [['a', 'a', 'b'], ['b']], ['b', 'a']],
  ])('puts together %s', (_what, lists, order) => {
    expect(fuseRanks(lists).map(({ id }) => id)).toEqual(order)
  })

  it('adds 1 / (60 + rank) for each list', () => {
    expect(fuseRanks([['a'], ['b', 'a']])[0]).toEqual({ id: 'a', score: 1 / 61 + 1 / 62 })
  })

  const list = fc.uniqueArray(fc.constantFrom(...'abcdefgh'))
  it('returns each id once, best first, and never below one that stands behind it in every list', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 3 }), (lists) => {
        const fused = fuseRanks(lists)
        expect(new Set(fused.map(({ id }) => id))).toEqual(new Set(lists.flat()))
        expect(fused.map(({ score }) => score)).toEqual(fused.map(({ score }) => score).sort((a, b) => b - a))
        for (const [at, { id }] of fused.entries())
          for (const { id: later } of fused.slice(at + 1))
            expect(
              lists.every((all) => all.includes(later) && (!all.includes(id) || all.indexOf(later) < all.indexOf(id))),
            ).toBe(lists.length === 0)
      }),
    )
  })
})

describe('pickDiverse', () => {
  const candidates = [
    { relevance: 1, vector: [1, 0] },
    { relevance: 0.99, vector: [2, 0] },
    { relevance: 0.5, vector: [0, 1] },
  ]

  it.each([
    [1, [0, 1, 2]],
    [0.5, [0, 2, 1]],
    [0, [0, 2, 1]],
  ])('with lambda %f picks in the order %j', (lambda, order) => {
    expect(pickDiverse(candidates, { k: 3, lambda })).toEqual(order)
  })

  it('takes a vector of zeros for unlike anything', () => {
    const zeros = [...candidates, { relevance: 0.4, vector: [0, 0] }]
    expect(pickDiverse(zeros, { k: 4, lambda: 0.1 })).toHaveLength(4)
  })

  it('returns k different indexes, or all there are', () => {
    const candidate = fc.record({
      relevance: fc.double({ min: 0, max: 1, noNaN: true }),
      vector: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(candidate), fc.nat(10), fc.double({ min: 0, max: 1, noNaN: true }), (list, k, lambda) => {
        const picked = pickDiverse(list, { k, lambda })
        expect(picked).toHaveLength(Math.min(k, list.length))
        expect(new Set(picked).size).toBe(picked.length)
        if (lambda === 1) {
          const relevances = picked.map((at) => list[at]?.relevance as number)
          expect(relevances).toEqual([...relevances].sort((a, b) => b - a))
        }
      }),
    )
  })
})

describe('ranks by words', () => {
  it('put rare words before common ones, and leave out what has none', () => {
    const texts = ['wool socks', 'wool hats in wool', 'trains', 'wool']
    expect(keywordRanks('WOOL hats', texts)).toEqual([1, 3, 0])
    expect(keywordRanks('…', texts)).toEqual([])
    expect(keywordRanks('wool', [])).toEqual([])
  })
})
