import { expect, it } from 'vitest'
import { listFields, typeText } from './schema.ts'

it.each([
  [{ type: 'string' as const, format: 'date-time' }, 'string (date-time)'],
  [{ type: 'array' as const, items: { $ref: '#/components/schemas/Flow' } }, 'list of Flow'],
  [{ anyOf: [{ type: 'string' as const }, { type: 'null' as const }] }, 'string or null'],
  [{ enum: ['skip', 'queue'] }, 'one of: skip, queue'],
  [{}, 'anything'],
])('describes the schema %j as %s', (schema, text) => {
  expect(typeText(schema)).toBe(text)
})

it('lists the fields of nested lists and unions once', () => {
  const Flow = { type: 'object' as const, properties: { id: { type: 'string' as const } }, required: ['id'] }
  const list = { type: 'array' as const, items: { $ref: '#/components/schemas/Flow' } }
  const page = { type: 'object' as const, properties: { data: list, id: { type: 'number' as const } } }
  const fields = listFields({ anyOf: [list, page] }, { Flow })
  expect(fields.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ['data', 'list of Flow', false],
    ['id', 'string', true],
  ])
})
