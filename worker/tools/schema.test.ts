import { expect, test } from 'vitest'
import { forModels } from './schema.ts'

const object = (properties: object) => ({ type: 'object', properties })

test.each([
  ['an object without fields', { type: 'object' }, object({})],
  ['nothing at all', {}, object({})],
  [
    'a list of anything',
    object({ a: { type: 'array' }, b: { type: ['array', 'null'] } }),
    object({ a: { type: 'array', items: {} }, b: { type: ['array', 'null'], items: {} } }),
  ],
  [
    'a list with a schema for each place',
    object({ a: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } }),
    object({ a: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }),
  ],
  [
    'alternatives at the top',
    { ...object({ a: { type: 'string' } }), oneOf: [object({ b: { type: 'string' } }), { required: ['a'] }] },
    object({ a: { type: 'string' }, b: { type: 'string' } }),
  ],
  [
    'parts at the top',
    {
      allOf: [
        { ...object({ a: {} }), required: ['a'] },
        { ...object({ b: {} }), required: ['b'] },
      ],
    },
    { ...object({ a: {}, b: {} }), required: ['a', 'b'] },
  ],
  [
    'formats that some provider refuses',
    object({ a: { type: 'string', format: 'uri', description: 'Where' }, b: { type: 'string', format: 'date-time' } }),
    object({
      a: { type: 'string', description: 'Where. Format: uri' },
      b: { type: 'string', format: 'date-time' },
    }),
  ],
  [
    'keywords of older drafts',
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...object({ a: { type: 'number', minimum: 0, exclusiveMinimum: true, required: true }, b: { type: 'any' } }),
    },
    object({ a: { type: 'number', minimum: 0 }, b: {} }),
  ],
  [
    'fields that are called as keywords',
    object({ format: { type: 'string' }, required: { type: 'boolean' }, items: { type: 'array' }, type: {} }),
    object({
      format: { type: 'string' },
      required: { type: 'boolean' },
      items: { type: 'array', items: {} },
      type: {},
    }),
  ],
  [
    'data, which is no schema',
    object({ a: { default: { type: 'array' }, enum: [{ format: 'uri' }], const: { required: true } } }),
    object({ a: { default: { type: 'array' }, enum: [{ format: 'uri' }], const: { required: true } } }),
  ],
  [
    'definitions',
    { ...object({ a: { $ref: '#/$defs/A' } }), $defs: { A: { type: 'array' } } },
    { ...object({ a: { $ref: '#/$defs/A' } }), $defs: { A: { type: 'array', items: {} } } },
  ],
])('adapts %s for models', (_, schema, told) => {
  expect(forModels(schema)).toEqual(told)
})
