import { expect, it } from 'vitest'
import { flattened, isRecord, isTooDeep, parseFencedJson, tryParseJson } from './json.ts'

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

it('flattened returns a shallow value unchanged', () => {
  const value = { a: nested(100) }
  expect(flattened(value)).toBe(value)
})

it('flattened replaces only the parts that are nested too deeply with text', () => {
  const cut = flattened({ a: 1, list: ['b', nested(1_500)] })
  expect(cut).toMatchObject({ a: 1, list: ['b', expect.anything()] })
  expect(isTooDeep(cut)).toBe(false)
  expect(JSON.stringify(cut)).toContain('"[[[[')
})

it('flattened marks a value that is too deep to serialize', () => {
  expect(JSON.stringify(flattened(nested(100_000)))).toContain('nested too deeply')
})

it.each([
  ['{"a":1}', { a: 1 }],
  ['null', null],
  ['{', undefined],
  ['', undefined],
])('tryParseJson reads %j as %j', (text, value) => expect(tryParseJson(text)).toEqual(value))

it.each([
  ['{"a":1}', { a: 1 }],
  ['Here you are:\n```json\n[1]\n```\nDone.', [1]],
  ['```\nnot JSON\n```', undefined],
])('parseFencedJson reads %j as %j', (text, value) => expect(parseFencedJson(text)).toEqual(value))

it.each([
  [{}, true],
  [null, false],
  [[], false],
  ['{}', false],
])('isRecord(%j) is %j', (value, expected) => expect(isRecord(value)).toBe(expected))
