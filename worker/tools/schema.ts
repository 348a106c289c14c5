/** Makes third-party JSON Schemas safe for validation and acceptable to all model providers. */

import { isTooDeep } from '#contract/data/json.ts'

type Schema = Record<string, unknown>

const MAX_SCHEMA_CHARS = 100_000
/** Keywords removed from third-party schemas: patterns would run unguarded on model output, ids slow down validation. */
const DROPPED = ['pattern', '$id', 'id', '$recursiveRef']

/** Returns a third-party schema that is safe for validation. @throws Error when it is too large or too deep */
export function safeSchema(schema: Schema): Schema {
  const text = JSON.stringify(schema)
  if (text.length > MAX_SCHEMA_CHARS) throw new Error(`The schema exceeds ${MAX_SCHEMA_CHARS} characters`)
  if (isTooDeep(schema)) throw new Error('The schema is nested too deeply')
  return JSON.parse(text, (key, value) => {
    if ((DROPPED.includes(key) && typeof value === 'string') || key === 'patternProperties') return undefined
    // `uri` is the standard name. The validator's expression for `url` takes quadratic time.
    return key === 'format' && value === 'url' ? 'uri' : value
  }) as Schema
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
/** The formats that Gemini accepts. */
const FORMATS = ['date-time', 'date', 'time']
const OF_SCHEMAS = ['oneOf', 'anyOf', 'allOf']
const BY_NAME = ['properties', '$defs', 'definitions']
const NOT_AT_THE_TOP = ['$schema', 'not', 'enum', ...OF_SCHEMAS]
const ONE = ['items', 'additionalProperties', 'not']

/**
 * Returns a tool's parameters in a form that all providers accept, since one invalid schema fails the whole call. OpenAI
 * requires `properties` and `items` and no alternatives at the top level; Anthropic requires draft 2020-12; Gemini supports
 * few formats. Arguments are validated against the original schema.
 */
export function forModels(schema: Schema): Schema {
  const whole = simplified(schema)
  const root = Object.fromEntries(Object.entries(whole).filter(([name]) => !NOT_AT_THE_TOP.includes(name)))
  const all = partsOf(whole.allOf)
  const parts = [...all, ...partsOf(whole.oneOf), ...partsOf(whole.anyOf)]
  const properties = Object.assign({}, root.properties, ...parts.map((part) => part.properties))
  const needed = new Set([root, ...all].flatMap(({ required }) => required ?? []))
  return { ...root, type: 'object', properties, ...(needed.size > 0 && { required: [...needed] }) }
}

const partsOf = (list: unknown): Schema[] => (Array.isArray(list) ? list.filter(isSchema) : [])

function simplified(schema: Schema): Schema {
  const entries = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (OF_SCHEMAS.includes(name) && Array.isArray(value)) return [name, value.map(simplifiedValue)]
    if (BY_NAME.includes(name) && isSchema(value))
      return [name, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, simplifiedValue(each)]))]
    if (ONE.includes(name))
      return [name, Array.isArray(value) ? { anyOf: value.map(simplifiedValue) } : simplifiedValue(value)]
    return [name, value]
  })
  return corrected(Object.fromEntries(entries))
}

function corrected({ type, format, required, exclusiveMinimum, exclusiveMaximum, ...rest }: Schema): Schema {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => TYPES.includes(each))
  const isText = typeof format === 'string' && !FORMATS.includes(format) && types.includes('string')
  const description = isText ? [rest.description, `Format: ${format}`].filter(Boolean).join('. ') : rest.description
  return {
    ...(types.length > 0 && { type: Array.isArray(type) ? types : types[0] }),
    ...rest,
    ...(description !== undefined && { description }),
    ...(format !== undefined && !isText && { format }),
    ...(Array.isArray(required) && { required }),
    ...(typeof exclusiveMinimum === 'number' && { exclusiveMinimum }),
    ...(typeof exclusiveMaximum === 'number' && { exclusiveMaximum }),
    ...(types.includes('array') && !('items' in rest) && { items: {} }),
  }
}

const simplifiedValue = (value: unknown): unknown => (isSchema(value) ? simplified(value) : value)

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
