// @defends tool-schema-expands
import { expect, it } from 'vitest'
import { safeSchema } from '../tools/schema.ts'
import { schemaProblem } from './schema-problem.ts'
import { checkedArguments } from './tool-calls.ts'

/** Thirty definitions, each of which references the next one twice: 2^30 paths. */
const doubling = (keyword: string) => ({
  type: 'object',
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` }
      return [`d${at}`, { [keyword]: [next, next] }]
    }).concat([['d30', {}] as never]),
  ),
})

it.each(['allOf', 'oneOf'])('validation stops at exponentially many references in %s', (keyword) => {
  expect(() => checkedArguments({}, { parameters: safeSchema(doubling(keyword)) })).toThrow(
    'too many nested references',
  )
})

it('validation stops at a schema that doubles with each level of the value', () => {
  const self = { $ref: '#' }
  const schema = safeSchema({ properties: { a: { allOf: [self, self] } } })
  const deep = (depth: number): object => (depth === 0 ? {} : { a: deep(depth - 1) })
  expect(schemaProblem(deep(8), schema, '2019-09')).toBeUndefined()
  expect(() => schemaProblem(deep(40), schema, '2019-09')).toThrow('too many nested references')
})

it('a schema that references itself endlessly is an error', () => {
  expect(() => schemaProblem({}, { $ref: '#' }, '2019-09')).toThrow()
})

it('a recursive tree schema is validated', () => {
  const schema = { properties: { items: { type: 'array', items: { $ref: '#' } }, name: { type: 'string' } } }
  expect(schemaProblem({ items: [{ name: 'a', items: [{ name: 'b' }] }] }, schema, '2019-09')).toBeUndefined()
  expect(schemaProblem({ items: [{ name: 1 }] }, schema, '2019-09')).toMatchObject({ at: '#/items/0/name' })
})

it('third-party schemas lose unsafe keywords and are rejected when too large or too deep', () => {
  const property = { type: 'string', pattern: '(a+)+$', format: 'url' }
  const schema = { $id: 'https://a.example/', type: 'object', properties: { id: property, pattern: { id: 'x' } } }
  expect(safeSchema(schema)).toEqual({
    type: 'object',
    properties: { id: { type: 'string', format: 'uri' }, pattern: {} },
  })
  expect(() => safeSchema({ description: 'x'.repeat(100_000) })).toThrow('exceeds 100000 characters')
  const deep = (depth: number): object => (depth === 0 ? {} : { items: deep(depth - 1) })
  expect(() => safeSchema(deep(300) as never)).toThrow('nested too deeply')
})
