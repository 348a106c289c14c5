// @defends values-variables-credentials
import { describe, expect, it } from 'vitest'
import { costRatio } from '#worker/local/testing/growth.ts'
import { createRedactor } from './redactor.ts'

const redactorOf = (...values: unknown[]) => {
  const redactor = createRedactor()
  redactor.add(values)
  return redactor
}

describe('a redactor', () => {
  const SECRET = 'sk "a"/b c+ü'

  it.each([
    ['in a text', `key ${SECRET}, twice: ${SECRET}`, 'key (hidden), twice: (hidden)'],
    ['in JSON text', JSON.stringify({ key: SECRET }), '{"key":"(hidden)"}'],
    ['in a query', `https://e.x/?${new URLSearchParams({ key: SECRET })}`, 'https://e.x/?key=(hidden)'],
    ['in a part of a URL', `https://e.x/${encodeURIComponent(SECRET)}`, 'https://e.x/(hidden)'],
    [
      'in JSON text within JSON',
      JSON.stringify({ body: JSON.stringify({ key: SECRET }) }),
      '{"body":"{\\"key\\":\\"(hidden)\\"}"}',
    ],
    ['in HTML', '<p>sk &quot;a&quot;/b c+ü</p>', '<p>(hidden)</p>'],
    ['in a list', ['a', [SECRET]], ['a', ['(hidden)']]],
    ['in an object', { content: { a: SECRET, b: 1 } }, { content: { a: '(hidden)', b: 1 } }],
  ])('hides a secret value %s', (_where, value, expected) => {
    expect(redactorOf(SECRET).redact(value)).toEqual(expected)
  })

  it('hides a long secret that is truncated', () => {
    const long = Array.from({ length: 5000 }, (_, index) => String.fromCharCode(33 + ((index * 7) % 90))).join('')
    expect(redactorOf(long).redact(`a ${long} b ${long.slice(0, 200)}`)).toBe('a (hidden) b (hidden)')
  })

  it('hides a whole secret that contains another one', () => {
    expect(redactorOf('secret', 'secret-and-more').redact('secret-and-more secret')).toBe('(hidden) (hidden)')
  })
})

describe('unchanged by a redactor', () => {
  it('are short values and non-strings', () => {
    expect(redactorOf('1', 'true', '  eu  ', 5, null, undefined, {}).redact('1 true eu null 5')).toBe(
      '1 true eu null 5',
    )
  })

  it('are property names and numbers', () => {
    expect(redactorOf('content', '1234567').redact({ content: 1234567 })).toEqual({ content: 1234567 })
  })

  it('are objects without secrets, which stay identical', () => {
    const value = { a: ['b', { c: 1 }] }
    expect(redactorOf('secret').redact(value)).toBe(value)
  })
})

it.each([
  ['nothing', 'hello', 0],
  ['a beginning', 'hello sec', 3],
  ['a beginning after another', 'secsecr', 4],
  ['all but the last letter', 'secre', 5],
  ['all of it', 'a secret', 0],
  ['all of it and a beginning', 'secretse', 2],
])('a text that ends in %s of a secret is open for as many characters', (_what, text, length) => {
  expect(redactorOf('secret').openEnd(text)).toBe(length)
})

it('redacts in linear time', async () => {
  const redactor = redactorOf(`${'a'.repeat(100_000)}b`)
  const redact = (length: number) => {
    const text = 'a'.repeat(length)
    return () => redactor.redact(text)
  }
  expect(await costRatio(redact(200_000), redact(2_000_000), 40)).toBeLessThan(40)
})
