/** Calls of one operation, drawn from the API's own description. */
import * as fc from 'fast-check'
import type { OpenApiDocument, Operation, Parameter } from '#contract/openapi.ts'
import { SEED_ID } from '../../../http/testing/seed.ts'
import { type Components, drawn, hostileText } from './values.ts'

export const CALLERS = ['anonymous', 'owner', 'member', 'otherOwner', 'key', 'emptyKey', 'wrongKey'] as const
export type CallerName = (typeof CALLERS)[number]

export interface DescribedOperation {
  method: string
  /** `/chatflows/{id}` */
  path: string
  operation: Operation
}

export interface Call {
  caller: CallerName
  method: string
  /** With the query, below /api/v1. */
  path: string
  contentType?: string
  body?: string
}

export const operationsOf = (document: OpenApiDocument): DescribedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

export function callsOf(described: DescribedOperation, components: Components): fc.Arbitrary<Call> {
  const { method, operation } = described
  return fc
    .record({
      caller: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('owner', 'key') },
        { weight: 2, arbitrary: fc.constantFrom(...CALLERS) },
      ),
      address: addressOf(described, components),
      query: queryOf(operation.parameters, components),
      sent: method === 'GET' ? fc.constant({}) : bodyOf(operation, components),
    })
    .map(({ caller, address, query, sent }) => ({ caller, method, path: address + query, ...sent }))
}

function addressOf({ path, operation }: DescribedOperation, components: Components): fc.Arbitrary<string> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path')
  const filled = fc.record(
    Object.fromEntries(parameters.map((parameter) => [parameter.name, partOf(parameter, components)])),
  )
  return filled.map((parts) => path.replace(/\{(\w+)\}/g, (_, name) => parts[name] as string))
}

/** A part of the path; dots alone would name another one. */
function partOf({ schema }: Parameter, components: Components): fc.Arbitrary<string> {
  const plain = fc.constant(schema.type === 'integer' || schema.type === 'number' ? '1' : SEED_ID)
  const encoded = fc
    .oneof(drawn(schema, components).map(String), hostileText)
    .filter((text) => text !== '' && text !== '.' && text !== '..')
    .map((text) => encodeURIComponent(text.slice(0, 2000).toWellFormed()))
  return fc.oneof(
    { weight: 5, arbitrary: plain },
    { weight: 2, arbitrary: encoded },
    fc.constantFrom('%ZZ', '%', '%E0%A4%A', '%00'),
  )
}

function queryOf(parameters: Parameter[], components: Components): fc.Arbitrary<string> {
  const asked = parameters.filter((parameter) => parameter.in === 'query')
  const values = Object.fromEntries(asked.map(({ name, schema }) => [name, drawn(schema, components)]))
  const known = fc.record(values, { requiredKeys: [] }).map((given) => Object.entries(given).flatMap(pairsOf))
  const others = fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    fc.array(fc.tuple(hostileText, hostileText), { maxLength: 2 }),
  )
  return fc.tuple(known, others).map(([mine, more]) => {
    const text = new URLSearchParams([...mine, ...more]).toString().slice(0, 4000)
    return text === '' ? '' : `?${text}`
  })
}

const pairsOf = ([name, value]: [string, unknown]): [string, string][] =>
  [value].flat().map((each) => [name, typeof each === 'object' ? JSON.stringify(each) : String(each)])

const BROKEN = [
  '',
  ' ',
  '{',
  '[]',
  'null',
  '"x"',
  '7',
  '{"__proto__":{"a":1}}',
  `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  '\0',
]

function bodyOf({ requestBody }: Operation, components: Components): fc.Arbitrary<Partial<Call>> {
  const [contentType, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const type = contentType === undefined || contentType === '*/*' ? 'application/json' : contentType
  const whole = drawn(media?.schema ?? {}, components).map((value) => ({
    contentType: type,
    body: JSON.stringify(value),
  }))
  const broken = fc.record({
    contentType: fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      ';',
    ),
    body: fc.constantFrom(...BROKEN),
  })
  const none = fc.constant({})
  if (!requestBody) return fc.oneof({ weight: 4, arbitrary: none }, broken)
  return fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: broken }, { weight: 1, arbitrary: none })
}
