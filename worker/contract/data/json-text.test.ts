// @defends costly-request
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findJsonProblem, MAX_DEPTH, MAX_VALUES } from './json-text.ts'

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, child) => sum + countOf(child), 1)
    : 1

/** The number of values that a text is allowed to have, to the value. */
function expectCount(text: string, count: number) {
  expect(findJsonProblem(text, count)?.kind).not.toBe('values')
  expect(findJsonProblem(text, count - 1)?.kind).toBe('values')
}

const holdsNul = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, child]) => key.includes('\0') || holdsNul(child))
}

/** Characters that JSON writes in a way of their own, NUL among them. */
const awkward = fc.string({ unit: fc.constantFrom('"', '\\', ',', ':', '[', '}', '\0', 'u0000', '\ufeff', 'é', '😀') })
const json = fc.jsonValue({ stringUnit: 'binary' })
const anyJson = fc.oneof(json, fc.dictionary(awkward, fc.oneof(awkward, json, fc.array(awkward))))

it('a JSON text counts as many values as JSON.parse makes of it', () => {
  fc.assert(
    fc.property(anyJson, fc.constantFrom(0, 1, '\t', '\r\n'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      expectCount(text, countOf(JSON.parse(text)))
    }),
  )
})

it('a NUL character is found in exactly the texts whose value holds one', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(findJsonProblem(JSON.stringify(value))?.kind === 'nul').toBe(holdsNul(value))
    }),
  )
})

it('every text is measured, whether it is JSON or not', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'"\\,:[]{}u0 a') }), (text) => {
      expect(() => findJsonProblem(text, 3)).not.toThrow()
    }),
  )
})

it.each([
  ['[]', 1],
  ['{ }', 1],
  ['"a,b:[{"', 1],
  ['["\\"", "\\\\", "\\\\\\","]', 4],
  ['[1e999, -0.5E-10, 123456789012345678901234567890, null, true]', 6],
  ['{"a":1,"a":2,"a":[3]}', 5],
  ['\n[ [ ] , { } ]\r\n', 3],
])('%s holds %i values', (text, count) => expectCount(text, count))

it('a text with too many values is refused with the field that holds them, wherever they stand', () => {
  const many = `[${Array(MAX_VALUES).fill(1).join()}]`
  expect(findJsonProblem(`{"few":[1],"form":{"a":${many}}}`)).toEqual({ kind: 'values', path: ['form'] })
  expect(findJsonProblem(many)).toMatchObject({ kind: 'values' })
  expect(
    findJsonProblem(
      `[${Array(MAX_VALUES - 1)
        .fill(1)
        .join()}]`,
    ),
  ).toBeUndefined()
  expect(findJsonProblem(many, MAX_VALUES + 1)).toBeUndefined()
  expect(findJsonProblem(`{"a":"${',['.repeat(MAX_VALUES)}"}`)).toBeUndefined()
})

it('a repeated key counts each time, because each costs', () => {
  const text = `{${Array(MAX_VALUES).fill('"a":1').join()}}`
  expect(findJsonProblem(text)).toEqual({ kind: 'values', path: [] })
})

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

it('nesting is refused above the limit and not below, and the field is named', () => {
  expect(findJsonProblem(nested(MAX_DEPTH))).toBeUndefined()
  expect(findJsonProblem(nested(MAX_DEPTH + 1))).toMatchObject({ kind: 'depth' })
  expect(findJsonProblem(`{"a":1,"b":${nested(MAX_DEPTH)}}`)).toEqual({ kind: 'depth', path: ['b'] })
  expect(findJsonProblem('['.repeat(5_000_000))).toMatchObject({ kind: 'depth' })
})

it.each([
  ['{"name":"a\\u0000b"}', ['name']],
  ['{"name":{"list":["a",{"b":"\\u0000"}]}}', ['name', 'list', '1', 'b']],
  ['{"x":[1,2],"name":{"a\\u0000":1}}', ['name', 'a\0']],
  ['{"name":"\\\\\\u0000"}', ['name']],
])('the NUL character in %s is found, with its whole path', (text, path) => {
  expect(findJsonProblem(text)).toEqual({ kind: 'nul', path })
})

it('an escaped backslash before u0000 is no NUL character', () => {
  expect(findJsonProblem(JSON.stringify({ name: '\\u0000' }))).toBeUndefined()
})
