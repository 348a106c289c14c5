/** Generates the OpenAPI description of the API from its routes. Pure. */
import type * as z from 'zod'
import type {
  DescribedResponse,
  JsonSchema,
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
} from '#contract/openapi.ts'
import { errorBodySchema } from '#contract/schemas/error-body.ts'
import { STATUS } from '../../http/errors.ts'
import type { Answer, Route } from '../../http/route.ts'
import { ERROR_MEANINGS, listErrors, SHARED_ERRORS } from './errors.ts'
import { sample } from './sample.ts'
import { createSchemas, type Schemas } from './schemas.ts'

/** `areas` maps the name of each area to its routes, in display order. */
export function describeApi(areas: Record<string, readonly Route[]>): OpenApiDocument {
  const schemas = createSchemas()
  const paths: OpenApiDocument['paths'] = {}
  for (const [area, routes] of Object.entries(areas)) {
    for (const route of routes) {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, area, schemas) }
    }
  }
  const components = schemas.components()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heddle API',
      version: '1',
      description: 'The API behind the pages of Heddle: everything they do, these calls can do.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    tags: Object.keys(areas).map((name) => ({ name })),
    paths: withExamples(paths, components),
    components: { securitySchemes, schemas: components },
  }
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key with its own permissions' },
  directory: { type: 'http', scheme: 'bearer', description: 'The token of an organization’s directory' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-heddle-access',
    description: 'The session of a signed-in user',
  },
  xsrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-XSRF-TOKEN',
    description: 'The value of the XSRF-TOKEN cookie. Required for every change in a session',
  },
}

function describe(route: Route, area: string, schemas: Schemas): Operation {
  const { access, summary, description, deprecated, params, query } = route
  return {
    operationId: operationId(route),
    tags: [area],
    summary,
    ...(description && { description }),
    ...(deprecated && { deprecated }),
    security: securityOf(route),
    ...(typeof access === 'object' &&
      'permission' in access && { 'x-permission': access.permission.split(',').map((name) => name.trim()) }),
    parameters: [
      ...pathParameters(route.path, params && schemas.of(params, 'input')),
      ...queryParameters(query && schemas.of(query, 'input')),
    ],
    ...requestBodyOf(route, schemas),
    responses: describeResponses(route, schemas),
  }
}

/** `GET /chatflows/:id/versions` → `getChatflowsIdVersions` */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function securityOf({ access, method }: Route): Record<string, string[]>[] {
  if (access === 'public') return []
  if (typeof access === 'object' && 'directoryOnly' in access) return [{ directory: [] }]
  const session: Record<string, string[]> = method === 'GET' ? { session: [] } : { session: [], xsrf: [] }
  return typeof access === 'object' && 'permission' in access ? [{ apiKey: [] }, session] : [session]
}

function pathParameters(path: string, schema: JsonSchema | undefined): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: (schema?.properties?.[name] ?? { type: 'string' }) as JsonSchema,
  }))
}

function queryParameters(schema: JsonSchema | undefined): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, part]) => {
    const { description, ...rest } = part as JsonSchema
    const required = schema?.required?.includes(name) ?? false
    return { name, in: 'query', required, ...(description && { description }), schema: rest }
  })
}

function requestBodyOf({ body, bodyTypes = ['application/json'] }: Route, schemas: Schemas) {
  if (!body) return bodyTypes.includes('application/json') ? {} : { requestBody: anyBody(bodyTypes) }
  const schema = schemas.of(body, 'input')
  const required = !body.safeParse({}).success
  return { requestBody: { required, content: Object.fromEntries(bodyTypes.map((type) => [type, { schema }])) } }
}

const anyBody = (types: readonly string[]) => ({
  required: false,
  content: Object.fromEntries(types.map((type) => [type, {}])),
})

function describeResponses(route: Route, schemas: Schemas): Record<string, DescribedResponse> {
  const { type = 'application/json', schema = errorBodySchema } = route.errorForm ?? {}
  const content = { [type]: { schema: schemas.of(schema, 'output') } }
  const responses: Record<string, DescribedResponse> = { default: { description: OTHER_ERRORS, content } }
  for (const code of listErrors(route)) {
    responses[STATUS[code]] = {
      description: ERROR_MEANINGS[code],
      ...(code === 'rate_limited' && { headers: retryAfter }),
      ...(code === 'wrong_method' && { headers: allow }),
      content,
    }
  }
  for (const answer of answersOf(route.answer)) addAnswer(responses, answer, schemas)
  return responses
}

const shared = Object.entries(SHARED_ERRORS).map(([status, meaning]) => `${status}, ${meaning}`)
const OTHER_ERRORS = `What any call may answer: ${shared.join('; ')}`

const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'string' } } } as const
const allow = { Allow: { description: 'The allowed method', schema: { type: 'string' } } } as const

function answersOf(answer: Route['answer']): readonly Answer[] {
  return isList(answer) ? answer : [{ schema: answer }]
}

const isList = (answer: z.ZodType | readonly Answer[]): answer is readonly Answer[] => Array.isArray(answer)

function addAnswer(responses: Record<string, DescribedResponse>, answer: Answer, schemas: Schemas): void {
  const { status = 200, schema, description } = answer
  const type = answer.type ?? (schema && 'application/json')
  const before = responses[status]
  const media = type && { [type]: schema ? { schema: schemas.of(schema, 'output') } : {} }
  responses[status] = {
    ...before,
    description: [before?.description, description].filter(Boolean).join('. ') || 'Done',
    ...((before?.content || media) && { content: { ...before?.content, ...media } }),
  }
}

const TEXTS: Record<string, string> = {
  id: '3f2c7b1e-9a54-4c0d-8e21-6b7d5f0a1c33',
  flowData: '{"nodes":[],"edges":[]}',
  question: 'What can you do?',
  email: 'ann@example.com',
  cronExpression: '0 9 * * *',
  cron: '0 9 * * *',
  timezone: 'UTC',
  cursor: '',
}

/** An example that matches the schema. */
function withExamples(paths: OpenApiDocument['paths'], components: Record<string, JsonSchema>): typeof paths {
  const sampleText = (name: string) =>
    TEXTS[name] ?? (/(^|[a-z])(Id|Config|Prompts)$/.test(name) ? exampleText(name) : undefined)
  const filled = (media: MediaType): MediaType =>
    media.schema ? { ...media, example: sample(media.schema, { sampleText, components }) } : media
  const contentOf = <Part extends { content?: Record<string, MediaType> }>(part: Part): Part =>
    part.content
      ? {
          ...part,
          content: Object.fromEntries(Object.entries(part.content).map(([type, media]) => [type, filled(media)])),
        }
      : part
  const operationOf = (operation: Operation): Operation => ({
    ...operation,
    ...(operation.requestBody && { requestBody: contentOf(operation.requestBody) }),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        Number(status) < 400 ? contentOf(response) : response,
      ]),
    ),
  })
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, operationOf(operation)])),
    ]),
  )
}

const exampleText = (name: string) => (name.endsWith('Id') ? (TEXTS.id as string) : '{}')
