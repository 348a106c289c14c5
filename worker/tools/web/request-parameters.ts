/**
 * Parameters of web request tools: converts the hints on the canvas to a JSON Schema for the model, and the model's
 * arguments to the URL and the body.
 */
import { isRecord, parseFencedJson } from '#contract/data/json.ts'
import { assertAddress } from '../../providers/json-api.ts'

interface ParameterHint {
  type?: string
  required?: boolean
  description?: string
  /** Position in the URL. Absent for body parameters. */
  in?: 'path' | 'query'
}

export type ParameterHints = Record<string, ParameterHint>

const TYPES = new Set(['string', 'number', 'boolean', 'object', 'array'])

/** Parses the hints. @throws Error that names the field unless it is a JSON object of objects */
export function parseHints(value: unknown, label: string): ParameterHints {
  if (value === undefined || value === null || value === '') return {}
  const hints = typeof value === 'string' ? parseFencedJson(value) : value
  const isHints = isRecord(hints) && Object.values(hints).every(isRecord)
  if (!isHints) throw new Error(`${label} must be a JSON object such as {"id": {"type": "string", "required": true}}`)
  return hints as ParameterHints
}

/** Returns the JSON Schema. Without hints, the model may use any parameters. */
export function buildSchema(hints: ParameterHints, description: string): Record<string, unknown> {
  const names = Object.keys(hints)
  if (names.length === 0) return { type: 'object', description, additionalProperties: true }
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(names.map((name) => [name, propertyOf(hints[name] as ParameterHint)])),
    required: names.filter((name) => hints[name]?.required),
    additionalProperties: false,
  }
}

function propertyOf({ type, description }: ParameterHint) {
  return { type: type && TYPES.has(type) ? type : 'string', ...(description && { description }) }
}

/** Inserts path parameters at `:name`, or appends them to the path, and adds the others to the query. */
export function fillAddress(address: string, hints: ParameterHints, values: Record<string, unknown>): string {
  assertAddress(address)
  const url = new URL(address)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue
    if (hints[name]?.in === 'path') url.pathname = fillPath(url.pathname, name, String(value))
    else url.searchParams.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return url.href
}

function fillPath(path: string, name: string, value: string): string {
  // The value must stay a single path segment.
  if (value === '' || value === '.' || value === '..') throw new Error(`"${value}" cannot be the value of ${name}`)
  const segment = encodeURIComponent(value)
  const segments = path.split('/')
  return segments.includes(`:${name}`)
    ? segments.map((part) => (part === `:${name}` ? segment : part)).join('/')
    : `${path.replace(/\/$/, '')}/${segment}`
}
