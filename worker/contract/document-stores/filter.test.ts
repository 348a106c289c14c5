import { describe, expect, it } from 'vitest'
import { FilterError, parseFilter } from './filter.ts'

describe('parseFilter', () => {
  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ lang: 'en' }, { op: 'eq', field: 'lang', value: 'en' }],
    [{ year: { $gte: 2020 } }, { op: 'gte', field: 'year', value: 2020 }],
    [
      { year: { $gte: 2020, $lt: 2022 } },
      {
        op: 'and',
        parts: [
          { op: 'gte', field: 'year', value: 2020 },
          { op: 'lt', field: 'year', value: 2022 },
        ],
      },
    ],
    [
      { $or: [{ lang: 'en' }, { lang: { $in: ['de', 'fr'] } }], draft: { $ne: true } },
      {
        op: 'and',
        parts: [
          {
            op: 'or',
            parts: [
              { op: 'eq', field: 'lang', value: 'en' },
              { op: 'in', field: 'lang', values: ['de', 'fr'] },
            ],
          },
          { op: 'ne', field: 'draft', value: true },
        ],
      },
    ],
    [{ $not: { a: { $nin: [1] } } }, { op: 'not', part: { op: 'nin', field: 'a', values: [1] } }],
    [{ a: { $not: { $exists: true } } }, { op: 'not', part: { op: 'exists', field: 'a', value: true } }],
  ])('reads %j', (filter, tree) => {
    expect(parseFilter(filter)).toEqual(tree)
  })

  it.each([
    ['a list', [], 'must be an object'],
    ['text', 'lang=en', 'must be an object'],
    ['an unknown operator', { a: { $regex: 'x' } }, '$regex is unknown'],
    ['an unknown operator at the top', { $where: 'x' }, '$where is unknown'],
    ['an operator without a dollar', { a: { eq: 1 } }, 'eq is unknown'],
    ['a list as a value', { a: [1] }, '{"a": {"$in": [...]}}'],
    ['null as a value', { a: null }, '$eq on "a" needs'],
    ['a number that is none', { a: Number.NaN }, '$eq on "a" needs'],
    ['an order of booleans', { a: { $gt: true } }, '$gt on "a" needs a number or text'],
    ['an empty list', { a: { $in: [] } }, '$in on "a" needs a list'],
    ['an empty $and', { $and: [] }, '$and needs a list'],
    ['an empty part', { $or: [{}] }, '$or holds an empty filter'],
    ['an empty condition', { a: {} }, 'filter on "a" is empty'],
    ['a nameless field', { '': 1 }, 'name of a field'],
    ['text for $exists', { a: { $exists: 'yes' } }, '$exists on "a" needs true or false'],
    ['too many values', { a: { $in: Array(1001).fill(1) } }, 'at most 1000 values'],
    ['too many conditions', Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, 1])), 'at most 100'],
  ])('refuses %s', (_what, filter, message) => {
    expect(() => parseFilter(filter)).toThrow(FilterError)
    expect(() => parseFilter(filter)).toThrow(message)
  })

  it('refuses a filter that is nested without end', () => {
    let filter: Record<string, unknown> = { a: 1 }
    for (let depth = 0; depth < 20; depth++) filter = { $not: filter }
    expect(() => parseFilter(filter)).toThrow('at most 8 deep')
    let condition: Record<string, unknown> = { $eq: 1 }
    for (let depth = 0; depth < 20; depth++) condition = { $not: condition }
    expect(() => parseFilter({ a: condition })).toThrow('at most 8 deep')
  })
})
