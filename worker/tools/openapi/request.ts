/** Builds the HTTP request of an operation from the model's arguments. */
import type { ServiceCall } from '../../providers/json-api.ts'
import type { Operation, Parameter } from './operations.ts'
import { isJson, type Json } from './spec.ts'

/** The model's arguments. The names come from the file format. */
export interface OperationArguments {
  PathParameters?: Json
  QueryParameters?: Json
  HeaderParameters?: Json
  RequestBody?: unknown
}

const GROUPS = [
  ['path', 'PathParameters'],
  ['query', 'QueryParameters'],
  ['header', 'HeaderParameters'],
] as const

/** Returns the JSON Schema of the arguments. */
export function argumentsSchema({ parameters, body }: Operation): Json {
  const groups = GROUPS.map(([place, name]) => [name, parameters.filter((each) => each.in === place)] as const)
  const given = groups.filter(([, list]) => list.length > 0)
  const needed = given.filter(([, list]) => list.some(({ required }) => required)).map(([name]) => name)
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(given.map(([name, list]) => [name, groupSchema(list)])),
      ...(body && { RequestBody: body.schema }),
    },
    required: body?.required ? [...needed, 'RequestBody'] : needed,
  }
}

function groupSchema(list: Parameter[]): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(list.map(({ name, schema }) => [name, schema])),
    required: list.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** Returns the request. @throws Error that names a path parameter that is missing or would escape the path */
export function buildRequest(
  operation: Operation,
  server: string,
  args: OperationArguments,
): Pick<ServiceCall, 'url' | 'method' | 'headers' | 'rawBody'> {
  const { method, parameters, body } = operation
  const headers = parameters
    .filter((each) => each.in === 'header')
    .flatMap(({ name }): [string, string][] => {
      const value = args.HeaderParameters?.[name]
      return isGiven(value) ? [[name, joined(value)]] : []
    })
  const hasBody = body && args.RequestBody !== undefined && args.RequestBody !== null
  return {
    url: buildAddress(operation, server, args),
    method: method.toUpperCase(),
    headers: { ...Object.fromEntries(headers), ...(hasBody && contentType(body.type)) },
    ...(hasBody && { rawBody: encoded(body.type, args.RequestBody) }),
  }
}

function buildAddress({ path, parameters }: Operation, server: string, args: OperationArguments): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => segment(name, args.PathParameters?.[name]))
  const url = new URL(`${server}${filled}`)
  for (const parameter of parameters.filter((each) => each.in === 'query')) {
    const value = args.QueryParameters?.[parameter.name]
    if (isGiven(value)) for (const [name, text] of queryPairs(parameter, value)) url.searchParams.append(name, text)
  }
  return url.href
}

/** Returns the value as a single path segment. */
function segment(name: string, value: unknown): string {
  const text = isGiven(value) ? joined(value) : ''
  if (text === '' || text === '.' || text === '..') throw new Error(`"${text}" cannot be the value of ${name}`)
  return encodeURIComponent(text)
}

/** Serializes lists and objects by the parameter's style. Default: `form` with one pair per value. */
function queryPairs(
  { name, style = 'form', explode = style === 'form' }: Parameter,
  value: unknown,
): [string, string][] {
  if (Array.isArray(value)) {
    if (explode) return value.map((each) => [name, plain(each)])
    const between: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|' }
    return [[name, value.map(plain).join(between[style] ?? ',')]]
  }
  if (!isJson(value)) return [[name, plain(value)]]
  const pairs = Object.entries(value).filter(([, each]) => isGiven(each))
  if (style === 'deepObject') return pairs.map(([key, each]) => [`${name}[${key}]`, plain(each)])
  return explode ? pairs.map(([key, each]) => [key, plain(each)]) : [[name, pairs.flat().map(plain).join(',')]]
}

const isGiven = (value: unknown) => value !== undefined && value !== null
const plain = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const joined = (value: unknown) => (Array.isArray(value) ? value.map(plain).join(',') : plain(value))

/** Returns the content-type header. Forms get theirs from `fetch`. */
function contentType(type: string): Record<string, string> {
  return type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded' ? {} : { 'content-type': type }
}

function encoded(type: string, body: unknown): FormData | URLSearchParams | string {
  if (/json/.test(type)) return JSON.stringify(body)
  const pairs = isJson(body) ? Object.entries(body).filter(([, value]) => isGiven(value)) : []
  if (type === 'application/x-www-form-urlencoded')
    return new URLSearchParams(pairs.map(([name, value]) => [name, plain(value)]))
  if (type !== 'multipart/form-data') return plain(body)
  const form = new FormData()
  for (const [name, value] of pairs) form.append(name, plain(value))
  return form
}

/** Removes null values, and objects that are empty afterwards. */
export function withoutNulls(value: Json): Json {
  const entries = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    if (each === null) return []
    if (!isJson(each)) return [[key, each]]
    const rest = withoutNulls(each)
    return Object.keys(rest).length > 0 ? [[key, rest]] : []
  })
  return Object.fromEntries(entries)
}
