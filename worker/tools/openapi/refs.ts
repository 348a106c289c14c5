/** Resolves `$ref` in an OpenAPI specification and converts its schemas to JSON Schema. */
import { isJson, type Json } from './spec.ts'

const SCHEMA_KEYWORDS = [
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
/** Maximum depth and number of parts of one schema for a model. */
const MAX_DEPTH = 12
const MAX_PARTS = 500
/** Maximum number of parts of one operation. Schemas that reference each other multiply. */
const MAX_OPERATION_PARTS = 20_000

/** Resolves a local reference, following chains. @throws Error that names an unresolved reference */
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
    throw new Error(`OpenAPI Toolkit: ${ref} is in another file. Use a specification in a single file.`)
  const keys = ref
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
  let value: unknown = document
  for (const key of keys) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    if (!isThere) throw new Error(`OpenAPI Toolkit: ${ref} does not exist in the specification`)
    value = (value as Json)[key]
  }
  return value
}

/** Returns a function that inlines all references. Recursive schemas are expanded once. */
export function createInliner(document: Json): (schema: unknown) => Json {
  const room = { left: MAX_OPERATION_PARTS }
  return (schema) => inlineSchema(document, schema, room)
}

function inlineSchema(document: Json, schema: unknown, room: { left: number }): Json {
  let parts = 0

  const inline = (value: unknown, above: readonly Json[]): Json => {
    const found = resolve(document, value)
    parts += 1
    room.left -= 1
    if (room.left < 0)
      throw new Error('OpenAPI Toolkit: the parameters of an endpoint are too large for a model. Deselect it.')
    if (above.includes(found) || above.length >= MAX_DEPTH || parts > MAX_PARTS) return outline(found)
    const path = [...above, found]
    const each = (list: unknown) => (Array.isArray(list) ? list.map((item) => inline(item, path)) : [])
    const lists = LISTS.filter((name) => Array.isArray(found[name])).map((name) => [name, each(found[name])])
    return {
      ...ownKeywords(found),
      ...(isJson(found.properties) && propertiesOf(found, (property) => inline(property, path))),
      ...(isJson(found.items) && { items: inline(found.items, path) }),
      ...additional(found, path),
      ...Object.fromEntries(lists),
    }
  }

  const propertiesOf = ({ properties, required }: Json, each: (property: unknown) => Json) => {
    // Read-only properties appear only in responses.
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

/** Returns the schema's own keywords as JSON Schema. A third-party pattern becomes part of the description and is never run. */
function ownKeywords(schema: Json): Json {
  const kept: Json = Object.fromEntries(
    SCHEMA_KEYWORDS.filter((name) => name in schema).map((name) => [name, schema[name]]),
  )
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
