/** Describes JSON Schemas. Pure. */
import type { JsonSchema } from '#contract/openapi.ts'

type Components = Record<string, JsonSchema>

export interface SchemaField {
  name: string
  type: string
  isRequired: boolean
  description?: string
  /** The schema of the field. */
  schema: JsonSchema
}

const refName = ($ref: string) => $ref.replace('#/components/schemas/', '')

const resolve = (schema: JsonSchema, components: Components): JsonSchema =>
  schema.$ref === undefined ? schema : (components[refName(schema.$ref)] ?? {})

/** Returns a type name such as `string (date-time)`, `list of Flow` or `one of: skip, queue`. */
export function typeText(schema: JsonSchema): string {
  if (schema.$ref) return refName(schema.$ref)
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as JsonSchema[]
  if (choices.length > 0) return [...new Set(choices.map(typeText))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `one of: ${schema.enum.join(', ')}`
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  if (type === 'array') return `list of ${typeText((schema.items ?? {}) as JsonSchema)}`
  return schema.format ? `${type} (${schema.format})` : type
}

/** Returns the fields of an object, or of the objects in a list or union, without duplicates. */
export function listFields(schema: JsonSchema, components: Components): SchemaField[] {
  const object = resolve(schema, components)
  const inner = [...(object.anyOf ?? []), ...(object.oneOf ?? []), ...[object.items ?? []].flat()] as JsonSchema[]
  const own = Object.entries(object.properties ?? {}).map(([name, part]) => {
    const field = part as JsonSchema
    return {
      name,
      type: typeText(field),
      isRequired: object.required?.includes(name) ?? false,
      ...(field.description !== undefined && { description: field.description }),
      schema: field,
    }
  })
  const all = [...own, ...inner.flatMap((each) => listFields(each, components))]
  return [...new Map(all.toReversed().map((field) => [field.name, field])).values()].toReversed()
}
