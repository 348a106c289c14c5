import { expect, it } from 'vitest'
import { namedRows } from './named-rows.ts'

it('rows have their values by name and by place, and only the names are their own', () => {
  const [row, other] = namedRows(
    ['id', 'name'],
    [
      [1, 'loom'],
      [2, null],
    ],
  )
  expect({ ...row }).toEqual({ id: 1, name: 'loom' })
  expect([row?.[0], row?.[1], row?.[2]]).toEqual([1, 'loom', undefined])
  expect(Array.prototype.slice.call(row)).toEqual([1, 'loom'])
  expect(JSON.stringify(other)).toBe('{"id":2,"name":null}')
  expect([other?.[0], other?.[1]]).toEqual([2, null])
})

it('the first of two columns of one name has it, and both have their places', () => {
  const [row] = namedRows(['id', 'id'], [[1, 2]])
  expect({ ...row }).toEqual({ id: 1 })
  expect([row?.[0], row?.[1]]).toEqual([1, 2])
})

it('a column that is called like a part of a list hides none', () => {
  const [row] = namedRows(['1', '0', 'length', '7'], [['a', 'b', 'c', 'd']])
  expect(Array.prototype.slice.call(row)).toEqual(['a', 'b', 'c', 'd'])
  expect({ ...row }).toEqual({ 7: 'd' })
})

it('rows of other columns are not mixed up', () => {
  const [first] = namedRows(['a', 'b'], [[1, 2]])
  const [second] = namedRows(['a,b'], [[3]])
  expect([{ ...first }, { ...second }]).toEqual([{ a: 1, b: 2 }, { 'a,b': 3 }])
  expect(namedRows(['a'], [])).toEqual([])
})
