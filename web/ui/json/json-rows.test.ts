import { describe, expect, it } from 'vitest'
import { jsonPath } from './json-path.ts'
import { jsonRows, sizeText } from './json-rows.ts'

it.each([
  [['a'], 'a'],
  [['items', 0, 'name'], 'items[0].name'],
  [['first name', 'é'], '["first name"].é'],
  [['a', '1b', '"'], 'a["1b"]["\\""]'],
])('writes the path %j as %s', (keys, path) => expect(jsonPath(keys)).toBe(path))

it.each([
  [[1], '1 item'],
  [{ a: 1, b: 2 }, '2 fields'],
])('the summary of %j reads %s', (value, text) => expect(sizeText(value)).toBe(text))

describe('the rows of a JSON tree', () => {
  const value = { user: { tags: ['a', 'b'], age: 3 }, empty: {}, none: null }
  const paths = (...toggled: string[]) => jsonRows(value, new Set(toggled)).map(({ path }) => path)

  it('show two levels at first', () => {
    expect(paths()).toEqual(['user', 'user.tags', 'user.age', 'empty', 'none'])
  })

  it('follow what a person folds and unfolds', () => {
    expect(paths('user')).toEqual(['user', 'empty', 'none'])
    expect(paths('user.tags')).toEqual([
      'user',
      'user.tags',
      'user.tags[0]',
      'user.tags[1]',
      'user.age',
      'empty',
      'none',
    ])
  })

  it('say whether they are open only when they hold something', () => {
    const open = Object.fromEntries(jsonRows(value, new Set()).map(({ path, isOpen }) => [path, isOpen]))
    expect(open).toEqual({ user: true, 'user.tags': false, 'user.age': undefined, empty: undefined, none: undefined })
  })

  it('start folded when the first level is long', () => {
    const long = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, { a: 1 }]))
    expect(jsonRows(long, new Set())).toHaveLength(21)
  })

  it('stop after a hundred entries of a list', () => {
    const rows = jsonRows({ list: Array.from({ length: 250 }, (_, index) => index) }, new Set())
    expect(rows).toHaveLength(102)
    expect(rows.at(-1)).toMatchObject({ path: 'list…', level: 2, hidden: 150 })
  })
})
