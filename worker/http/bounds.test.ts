// @defends field-request-size
/** Checks the schemas of every mounted route: each part of a request has a maximum size. */
import { expect, it } from 'vitest'
import * as z from 'zod'
import { routes } from '../areas/index.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** String formats that limit the length. */
const FIXED_FORMATS = ['uuid', 'date']

/**
 * Returns the parts of a schema without a maximum size: `body.tags[]: string`. Parts of any type are limited by the
 * body's limit.
 */
function unbounded(schema: JsonSchema, path: string): string[] {
  if (schema.enum || schema.const !== undefined) return []
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])] as JsonSchema[]
  const types = [schema.type ?? []].flat()
  return [
    ...branches.flatMap((branch) => unbounded(branch, path)),
    ...(types.includes('string') ? unboundedText(schema, path) : []),
    ...(types.includes('array') ? unboundedItems(schema, path) : []),
    ...(types.includes('object') ? [...unboundedKeys(schema, path), ...unboundedProperties(schema, path)] : []),
  ]
}

function unboundedText(schema: JsonSchema, path: string): string[] {
  return schema.maxLength !== undefined || FIXED_FORMATS.includes(schema.format ?? '') ? [] : [`${path}: string`]
}

function unboundedItems(schema: JsonSchema, path: string): string[] {
  const items = unbounded((schema.items ?? {}) as JsonSchema, `${path}[]`)
  return schema.maxItems === undefined ? [`${path}: array`, ...items] : items
}

function unboundedKeys(schema: JsonSchema, path: string): string[] {
  const more = schema.additionalProperties
  if (typeof more !== 'object') return []
  const values = unbounded(more as JsonSchema, `${path}.*`)
  return schema.maxProperties === undefined ? [`${path}: record`, ...values] : values
}

function unboundedProperties(schema: JsonSchema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    unbounded(part as JsonSchema, `${path}.${name}`),
  )
}

const found = (schema: z.ZodType, path: string) =>
  unbounded(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, path)

it('finds every part without a maximum size', () => {
  const schema = z.object({
    text: z.string().nullish(),
    short: z.string().max(9),
    id: z.uuid(),
    kind: z.enum(['a', 'b']),
    list: z.array(z.string().max(3)),
    deep: z.array(z.object({ name: z.string() })).max(3),
    record: z.record(z.string(), z.unknown()),
    loose: z.looseObject({ a: z.string() }),
    either: z.union([z.string(), z.number()]),
    read: z.preprocess((value) => value, z.array(z.string().max(1))),
    when: z.iso.datetime(),
  })
  expect(found(schema, 'body')).toEqual([
    'body.text: string',
    'body.list: array',
    'body.deep[].name: string',
    'body.record: record',
    'body.loose: record',
    'body.loose.a: string',
    'body.either: string',
    'body.read: array',
    'body.when: string',
  ])
})

it.each(routes.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
  'limits every part of $name',
  ({ route }) => {
    const parts = (['body', 'query', 'params'] as const).flatMap((part) => {
      const schema = route[part]
      return schema ? found(schema, part) : []
    })
    expect(parts).toEqual([])
  },
)

it('every parameter of a path has a schema', () => {
  const without = routes.filter(({ path, params }) => path.includes('/:') && !params)
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
