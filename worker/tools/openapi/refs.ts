/** `$ref` in an OpenAPI description, and its schemas as JSON schemas that models and the check of arguments understand. */
import { isJson, type Json } from './spec.ts'

const KEPT = [
  'type',
  'title',
  'description',
  'enum',
  'const',
  'default',
  'format',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
]
const LISTS = ['oneOf', 'anyOf', 'allOf']
/** How deep a schema is told to a model, and how much of it. */
const MAX_DEPTH = 12
const MAX_PARTS = 500
/** How much one operation takes, outlines included: many wide schemas that name each other multiply. */
const MAX_TOLD = 20_000

/** What a local reference points at, through further references. @throws Error that names one that leads nowhere */
export function resolve(document: Json, value: unknown): Json {
  let current = value
  for (let hops = 0; isJson(current) && typeof current.$ref === 'string'; hops++) {
    if (hops > 20) throw new Error(`OpenAPI Toolkit: ${current.$ref} refers to itself`)
    current = lookUp(document, current.$ref)
  }
  return isJson(current) ? current : {}
}

function lookUp(document: Json, ref: string): unknown {
  if (!ref.startsWith('#/'))
    throw new Error(`OpenAPI Toolkit: ${ref} is in another file. Give a description that is one file.`)
  const keys = ref
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
  let value: unknown = document
  for (const key of keys) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    if (!isThere) throw new Error(`OpenAPI Toolkit: ${ref} leads nowhere`)
    value = (value as Json)[key]
  }
  return value
}

/** Gives schemas without references. What refers to itself is told once, and is anything from there on. */
export function createInliner(document: Json): (schema: unknown) => Json {
  const room = { left: MAX_TOLD }
  return (schema) => inlineSchema(document, schema, room)
}

function inlineSchema(document: Json, schema: unknown, room: { left: number }): Json {
  let parts = 0

  const inline = (value: unknown, above: readonly Json[]): Json => {
    const found = resolve(document, value)
    parts += 1
    room.left -= 1
    if (room.left < 0)
      throw new Error('OpenAPI Toolkit: an endpoint takes too much to tell it to a model. Leave it out.')
    if (above.includes(found) || above.length >= MAX_DEPTH || parts > MAX_PARTS) return outline(found)
    const path = [...above, found]
    const each = (list: unknown) => (Array.isArray(list) ? list.map((item) => inline(item, path)) : [])
    const lists = LISTS.filter((name) => Array.isArray(found[name])).map((name) => [name, each(found[name])])
    return {
      ...own(found),
      ...(isJson(found.properties) && propertiesOf(found, (property) => inline(property, path))),
      ...(isJson(found.items) && { items: inline(found.items, path) }),
      ...additional(found, path),
      ...Object.fromEntries(lists),
    }
  }

  const propertiesOf = ({ properties, required }: Json, each: (property: unknown) => Json) => {
    // What only answers hold is not for the model to fill in.
    const asked = Object.entries(properties as Json).filter(([, property]) => !resolve(document, property).readOnly)
    const names = asked.map(([name]) => name)
    const needed = Array.isArray(required) ? required.filter((name) => names.includes(name)) : []
    return {
      properties: Object.fromEntries(asked.map(([name, property]) => [name, each(property)])),
      ...(needed.length > 0 && { required: needed }),
    }
  }

  const additional = ({ additionalProperties }: Json, path: readonly Json[]) => {
    if (typeof additionalProperties === 'boolean') return { additionalProperties }
    return isJson(additionalProperties) ? { additionalProperties: inline(additionalProperties, path) } : {}
  }

  return inline(schema, [])
}

/** A schema's own keywords, in the words of JSON Schema. A pattern is told, never run: it is somebody else's program. */
function own(schema: Json): Json {
  const kept: Json = Object.fromEntries(KEPT.filter((name) => name in schema).map((name) => [name, schema[name]]))
  if (typeof schema.pattern === 'string')
    kept.description = [schema.description, `Pattern: ${schema.pattern}`].filter(Boolean).join('. ')
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] === 'number') kept[exclusive] = schema[exclusive]
    if (schema[exclusive] !== true) continue
    kept[exclusive] = schema[bound]
    delete kept[bound]
  }
  if (schema.nullable !== true) return kept
  if (typeof kept.type === 'string') kept.type = [kept.type, 'null']
  if (Array.isArray(kept.enum) && !kept.enum.includes(null)) kept.enum = [...kept.enum, null]
  return kept
}

const outline = ({ type, description }: Json): Json => ({
  ...(type !== undefined && { type }),
  ...(description !== undefined && { description }),
})
