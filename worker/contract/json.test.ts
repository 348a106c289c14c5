import { expect, it } from 'vitest'
import { flattened, isTooDeep } from './json.ts'

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

it('what is not too deep stays the same value', () => {
  const value = { a: nested(100) }
  expect(flattened(value)).toBe(value)
})

it('what nests too deeply becomes a text where it does, and the rest stays', () => {
  const cut = flattened({ a: 1, list: ['b', nested(1_500)] })
  expect(cut).toMatchObject({ a: 1, list: ['b', expect.anything()] })
  expect(isTooDeep(cut)).toBe(false)
  expect(JSON.stringify(cut)).toContain('"[[[[')
})

it('what no stack can hold is told to be so', () => {
  expect(JSON.stringify(flattened(nested(100_000)))).toContain('nested too deeply')
})
