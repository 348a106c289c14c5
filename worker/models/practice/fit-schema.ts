/** Generates data that matches a JSON Schema from a text. Deterministic. */
export type JsonSchema = Record<string, unknown>

/** Schemas may be recursive. Below this depth, only required parts are generated. */
const MAX_DEPTH = 6
/** Bounds schemas whose references multiply. Required parts may exceed it by the same number. */
const MAX_PARTS = 1_000
const MAX_NEEDED_DEPTH = 100
/** Upper bounds, regardless of the schema. */
const MAX_ITEMS = 100
const MAX_CHARS = 10_000
const DATES: Record<string, string> = { date: '2025-01-01', 'date-time': '2025-01-01T00:00:00Z', time: '00:00:00Z' }
const EXAMPLES: Record<string, string> = {
  ...DATES,
  email: 'person@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

interface Fitting {
  root: JsonSchema
  text: string
  depth: number
  name: string
  /** Number of parts that may still be generated. */
  room: { left: number }
}

export function fitSchema(schema: JsonSchema, text: string): unknown {
  return fill(schema, { root: schema, text: text.slice(0, MAX_CHARS), depth: 0, name: '', room: { left: MAX_PARTS } })
}

function fill(schema: JsonSchema, at: Fitting): unknown {
  at.room.left -= 1
  if (at.room.left < -MAX_PARTS || at.depth > MAX_NEEDED_DEPTH) return null
  const resolved = resolve(schema, at.root)
  if ('const' in resolved) return resolved.const
  if (Array.isArray(resolved.enum)) return choose(resolved.enum, at.text)
  if (Array.isArray(resolved.allOf)) return fill(merge(resolved, resolved.allOf), at)
  const choices = resolved.anyOf ?? resolved.oneOf
  if (Array.isArray(choices)) return fill({ ...without(resolved), ...(firstOf(choices) as JsonSchema) }, at)
  return make[typeOf(resolved)](resolved, at)
}

type SchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

const make: Record<SchemaType, (schema: JsonSchema, at: Fitting) => unknown> = {
  object: fitObject,
  array: fitArray,
  string: fitString,
  number: (schema, { text }) => fitNumber(schema, text, 0),
  integer: (schema, { text }) => fitNumber(schema, text, 1),
  boolean: (_schema, { text }) => !/\b(no|not|never|false|off)\b/i.test(text),
  null: () => null,
}

function fitObject(schema: JsonSchema, at: Fitting): unknown {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = (schema.required ?? []) as string[]
  const names = mayGrow(at) ? Object.keys(properties) : required
  return Object.fromEntries(
    names.map((name) => [name, fill(properties[name] ?? {}, { ...at, name, depth: at.depth + 1 })]),
  )
}

function fitArray(schema: JsonSchema, at: Fitting): unknown {
  const least = count(schema.minItems, 0)
  const length = Math.min(Math.max(least, mayGrow(at) ? 2 : least), count(schema.maxItems, MAX_ITEMS), MAX_ITEMS)
  const parts = words(at.text)
  return Array.from({ length }, (_, index) => {
    // Each item gets different words, so that a list of texts does not repeat itself.
    const text = parts.length > 1 ? (parts[index % parts.length] as string) : `${at.text} ${index + 1}`.trim()
    return fill((schema.items ?? {}) as JsonSchema, { ...at, text, depth: at.depth + 1 })
  })
}

const mayGrow = ({ depth, room }: Fitting) => depth < MAX_DEPTH && room.left > 0

function fitString(schema: JsonSchema, { text, name }: Fitting): string {
  const example = typeof schema.format === 'string' ? EXAMPLES[schema.format] : undefined
  if (example) return example
  const plain = text.trim() || name || 'practice'
  return plain.padEnd(Math.min(count(schema.minLength, 0), MAX_CHARS), '.').slice(0, count(schema.maxLength, 500))
}

function fitNumber(schema: JsonSchema, text: string, unit: 0 | 1): number {
  const found = Number(/-?\d+(\.\d+)?/.exec(text)?.[0] ?? 1)
  const step = count(schema.multipleOf, unit)
  const low = limit(schema.minimum, schema.exclusiveMinimum, step || 1e-6)
  const high = -limit(negated(schema.maximum), negated(schema.exclusiveMaximum), step || 1e-6)
  const within = Math.min(Math.max(found, low), high)
  if (!step) return within
  const down = Math.floor(within / step) * step
  return down < low ? down + step : down
}

/** Returns the greatest lower bound; an exclusive bound is raised by `step`. */
function limit(inclusive: unknown, exclusive: unknown, step: number): number {
  return Math.max(
    typeof inclusive === 'number' ? inclusive : -Infinity,
    typeof exclusive === 'number' ? exclusive + step : -Infinity,
  )
}

function negated(value: unknown): unknown {
  return typeof value === 'number' ? -value : undefined
}

/** Returns the value mentioned in the text, or the first. */
function choose(values: unknown[], text: string): unknown {
  const said = text.toLowerCase()
  return values.find((value) => typeof value === 'string' && said.includes(value.toLowerCase())) ?? values[0]
}

function firstOf(choices: unknown[]): unknown {
  return choices.find((choice) => (choice as JsonSchema).type !== 'null') ?? choices[0]
}

function without({ anyOf: _any, oneOf: _one, ...rest }: JsonSchema): JsonSchema {
  return rest
}

function merge({ allOf: _all, ...base }: JsonSchema, parts: unknown[]): JsonSchema {
  const all = [base, ...(parts as JsonSchema[])]
  const properties = Object.assign({}, ...all.map((part) => part.properties))
  return Object.assign({}, ...all, { properties, required: all.flatMap((part) => (part.required as string[]) ?? []) })
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema
  const path = schema.$ref.replace(/^#\/?/, '').split('/').filter(Boolean)
  const target = path.reduce<unknown>((at, key) => (at as JsonSchema | undefined)?.[key], root)
  return (target ?? {}) as JsonSchema
}

function typeOf(schema: JsonSchema): SchemaType {
  const type = Array.isArray(schema.type) ? firstOf(schema.type.map((name) => ({ type: name }))) : schema
  const name = (type as JsonSchema).type as SchemaType | undefined
  return name && name in make ? name : schema.properties ? 'object' : schema.items ? 'array' : 'string'
}

function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}]{3,}/gu) ?? []
}

function count(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
