/** JSON structured output: builds a JSON Schema from the parameter's rows and validates answers against it. */
import { parseFencedJson } from '#contract/data/json.ts'
import { itemsOf, textOf } from '../inputs/node-inputs.ts'
import { safeSchema } from '../tools/schema.ts'
import { schemaProblem } from './schema-problem.ts'

export type JsonSchema = Record<string, unknown>

/** Returns the schema, or undefined when the parameter has no rows. Throws an Error that names the key of an incomplete row. */
export function structuredSchema(value: unknown): JsonSchema | undefined {
  const rows = itemsOf(value).filter(({ key }) => textOf(key) !== '')
  if (rows.length === 0) return undefined
  const properties = Object.fromEntries(rows.map((row) => [textOf(row.key), fieldSchema(row)]))
  return object(properties)
}

/** Returns the object in a model's answer, bare or in a fenced block, or why it does not match. */
export function readStructured(text: string, schema: JsonSchema): { value: JsonSchema } | { problem: string } {
  const value = parseFencedJson(text)
  if (value === undefined) return { problem: 'it is not JSON' }
  const problem = schemaProblem(value, schema, '2020-12')
  return problem ? { problem: `${problem.at}: ${problem.why}` } : { value: value as JsonSchema }
}

function fieldSchema(row: Record<string, unknown>): JsonSchema {
  const description = textOf(row.description)
  return { ...typeSchema(row), ...(description && { description }) }
}

function typeSchema(row: Record<string, unknown>): JsonSchema {
  switch (row.type) {
    case 'stringArray':
      return { type: 'array', items: { type: 'string' } }
    case 'number':
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'enum':
      return { type: 'string', enum: enumValues(row) }
    case 'jsonArray':
      return { type: 'array', items: itemSchema(row) }
    default:
      return { type: 'string' }
  }
}

function enumValues({ key, enumValues }: Record<string, unknown>): string[] {
  const values = textOf(enumValues)
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean)
  if (values.length === 0) throw new Error(`JSON structured output "${textOf(key)}": Enum values is empty`)
  return values
}

/** Accepts a map of JSON Schema properties or a complete object schema. If empty, items can be any object. */
function itemSchema({ key, jsonSchema }: Record<string, unknown>): JsonSchema {
  if (textOf(jsonSchema).trim() === '') return { type: 'object', additionalProperties: true }
  const schema = parsedSchema(textOf(key), textOf(jsonSchema))
  return schema.type === 'object' && typeof schema.properties === 'object' ? schema : object(schema)
}

function parsedSchema(key: string, text: string): JsonSchema {
  try {
    const schema: unknown = JSON.parse(text)
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return safeSchema(schema as JsonSchema)
  } catch {
    // The error below also covers invalid JSON.
  }
  throw new Error(`JSON structured output "${key}": JSON Schema must be a JSON object of properties`)
}

function object(properties: JsonSchema): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
