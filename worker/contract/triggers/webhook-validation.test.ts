import { describe, expect, it } from 'vitest'
import type { WebhookSettings } from './settings.ts'
import { shapeProblem } from './webhook-validation.ts'

type Expected = NonNullable<WebhookSettings['validation']>
type Body = Expected['body'][number]

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

function check(expected: Partial<Expected>, sent: object, contentType: WebhookSettings['contentType'] = JSON_TYPE) {
  const validation = { query: [], headers: [], body: [], ...expected }
  return shapeProblem({ validation, contentType }, { headers: {}, query: {}, body: {}, ...sent })
}

const required = (name: string) => [{ name, required: true }]
const body = (name: string, type: Body['type'], isRequired = true) => [{ name, type, required: isRequired }]

it('accepts everything when nothing is expected', () => {
  expect(
    shapeProblem({ validation: null, contentType: JSON_TYPE }, { headers: {}, query: {}, body: 1 }),
  ).toBeUndefined()
  expect(check({}, { body: [1] })).toBeUndefined()
})

describe('required values', () => {
  it.each([
    ['headers.X-Tenant', { headers: required('X-Tenant') }, { headers: { 'x-other': 'a' } }],
    ['headers.X-Tenant', { headers: required('X-Tenant') }, { headers: { 'x-tenant': '' } }],
    ['query.page', { query: required('page') }, {}],
    ['body.name', { body: body('name', 'string') }, { body: { other: 1 } }],
    ['body.name', { body: body('name', 'string') }, { body: { name: null } }],
    ['body.name', { body: body('name', 'string') }, { body: [] }],
    ['body.name', { body: body('name', 'string') }, { body: 'name' }],
    ['body.name', { body: body('name', 'string') }, { body: null }],
    ['body.toString', { body: body('toString', 'string') }, { body: {} }],
    ['body.length', { body: body('length', 'number') }, { body: 'text' }],
    ['body.name', { body: body('name', 'string') }, { body: JSON.parse('{"__proto__":{"name":"x"}}') }],
    ['query.constructor', { query: required('constructor') }, { query: {} }],
    ['body.a.b', { body: body('a.b', 'string') }, { body: { a: { c: 1 } } }],
  ] as [string, Partial<Expected>, object][])('are reported when %s is missing', (field, expected, sent) => {
    expect(check(expected, sent)).toEqual({ field, message: 'This is required' })
  })

  it.each([
    ['a header', { headers: required('X-Tenant') }, { headers: { 'x-tenant': 'a' } }],
    ['a parameter', { query: required('page') }, { query: { page: ['1', '2'] } }],
    ['a property', { body: body('a', 'string') }, { body: { a: 'x' } }],
    ['a zero', { body: body('a', 'number') }, { body: { a: 0 } }],
    ['a false value', { body: body('a', 'boolean') }, { body: { a: false } }],
    ['a property with a dot', { body: body('a.b', 'string') }, { body: { 'a.b': 'x' } }],
    ['a nested property', { body: body('a.b', 'string') }, { body: { a: { b: 'x' } } }],
    ['an optional property without a value', { body: body('a', 'string', false) }, { body: { a: null } }],
  ] as [string, Partial<Expected>, object][])('accept %s', (_, expected, sent) => {
    expect(check(expected, sent)).toBeUndefined()
  })
})

describe('types', () => {
  const values: Record<Body['type'], { good: unknown[]; bad: unknown[] }> = {
    string: { good: ['x'], bad: [1, true, {}, ['x']] },
    number: { good: [1, -0.5], bad: ['1', true, {}, [1]] },
    boolean: { good: [true, false], bad: ['true', 1, {}] },
    object: { good: [{}, { a: 1 }], bad: ['{}', 1, []] },
    'array[string]': { good: [[], ['x']], bad: ['x', {}, ['x', 1]] },
    'array[number]': { good: [[], [1]], bad: [1, ['1'], [1, null]] },
    'array[boolean]': { good: [[true]], bad: [['true'], true] },
    'array[object]': { good: [[{}]], bad: [[[]], [null], {}] },
  }
  const cases = Object.entries(values) as [Body['type'], { good: unknown[]; bad: unknown[] }][]
  it.each(cases)('are checked for %s', (type, { good, bad }) => {
    for (const value of good) expect(check({ body: body('a', type, false) }, { body: { a: value } })).toBeUndefined()
    for (const value of bad) {
      expect(check({ body: body('a', type, false) }, { body: { a: value } })).toMatchObject({
        field: 'body.a',
        message: expect.stringContaining(type),
      })
    }
  })

  it('of form fields are read from their texts', () => {
    const problem = (type: Body['type'], value: unknown) =>
      check({ body: body('a', type) }, { body: { a: value } }, FORM_TYPE)
    expect(problem('number', '17.5')).toBeUndefined()
    expect(problem('boolean', 'false')).toBeUndefined()
    expect(problem('number', 'Infinity')).toMatchObject({ field: 'body.a' })
    expect(problem('number', ' ')).toMatchObject({ field: 'body.a' })
    expect(problem('boolean', 'yes')).toMatchObject({ field: 'body.a' })
    expect(problem('string', ['a', 'b'])).toMatchObject({ field: 'body.a' })
  })
})
