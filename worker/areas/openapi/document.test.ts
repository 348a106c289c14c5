// @defends call-crashes-returns
import { Validator as JsonValidator, type Schema } from '@cfworker/json-schema'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import * as z from 'zod'
import type { Operation } from '#contract/openapi.ts'
import { type Route, route } from '../../http/route.ts'
import { areas, routes } from '../index.ts'
import { describeApi } from './document.ts'

const document = describeApi(areas)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const mounted = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)

it('the API document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)
  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('describes every mounted route, and nothing else', () => {
  expect(operations.map(({ name }) => name).toSorted()).toEqual(mounted.toSorted())
})

it('generates the same text every time', () => {
  expect(JSON.stringify(describeApi(areas))).toBe(JSON.stringify(document))
})

it('gives every call a unique operationId', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(
    operations.filter(({ operation }) => operation.responses['200'] === undefined).map(({ name }) => name),
  ).toEqual(
    operations
      .filter(({ operation: { responses } }) => responses['201'] ?? responses['204'] ?? responses['302'])
      .map(({ name }) => name),
  )
})

it.each(operations)('gives examples for $name that match their schemas', ({ operation }) => {
  const misfits = mediaOf(operation).flatMap(({ schema, example }) => {
    if (!schema) return []
    const validator = new JsonValidator({ ...schema, components: document.components } as Schema, '2020-12')
    const { valid, errors } = validator.validate(example)
    return valid ? [] : [`${JSON.stringify(example)} ${JSON.stringify(errors.at(-1))}`]
  })
  expect(misfits).toEqual([])
})

function mediaOf({ requestBody, responses }: Operation) {
  const answers = Object.entries(responses).flatMap(([status, { content }]) => (Number(status) < 400 ? [content] : []))
  return [requestBody?.content, ...answers].flatMap((content) => Object.values(content ?? {}))
}

const thing = (declared: Partial<Route>) =>
  route({
    method: 'POST',
    path: '/things/:id',
    summary: 'Change a thing',
    answer: z.object({ name: z.string() }),
    access: { permission: 'tools:create,tools:update' },
    params: z.object({ id: z.string().max(10) }),
    handle: async () => ({ name: '' }),
    ...(declared as object),
  })
const described = (declared: Partial<Route>) =>
  describeApi({ Things: [thing(declared)] }).paths['/things/{id}']?.post as Operation

it('lists the errors that a declaration implies', () => {
  expect(Object.keys(described({}).responses)).toEqual(['200', '400', '401', '403', '404', '413', 'default'])
  expect(Object.keys(described({ access: 'public', embeddable: true }).responses)).toEqual([
    '200',
    '400',
    '404',
    '413',
    '429',
    'default',
  ])
  const limit = { max: 1, windowSeconds: 1 }
  expect(Object.keys(described({ limit, errors: ['conflict'] }).responses)).toContain('429')
  expect(Object.keys(described({ limit, errors: ['conflict'] }).responses)).toContain('409')
})

it('lists who may call an operation', () => {
  expect(described({})).toMatchObject({
    security: [{ apiKey: [] }, { session: [], xsrf: [] }],
    'x-permission': ['tools:create', 'tools:update'],
  })
  for (const access of ['signed-in', { organizationAdminOnly: true }, { adminOnly: true }] as const) {
    expect(described({ access }).security).toEqual([{ session: [], xsrf: [] }])
  }
  expect(described({ access: 'public' }).security).toEqual([])
})

it('lists a schema with an id once', () => {
  const named = z.object({ name: z.string() }).meta({ id: 'NamedThing' })
  const { paths, components } = describeApi({ Things: [thing({ answer: z.array(named) })] })
  expect(paths['/things/{id}']?.post?.responses['200']?.content?.['application/json']?.schema).toEqual({
    type: 'array',
    items: { $ref: '#/components/schemas/NamedThing' },
  })
  expect(components.schemas.NamedThing).toMatchObject({ properties: { name: { type: 'string' } } })
})
