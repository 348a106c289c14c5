/** JSON Schemas in words. Pure. */
import type { JsonSchema } from '#contract/openapi.ts'

type Components = Record<string, JsonSchema>

export interface SchemaField {
  name: string
  type: string
  isRequired: boolean
  description?: string
  /** What it holds in turn. */
  schema: JsonSchema
}

const nameOf = ($ref: string) => $ref.replace('#/components/schemas/', '')

export const resolve = (schema: JsonSchema, components: Components): JsonSchema =>
  schema.$ref === undefined ? schema : (components[nameOf(schema.$ref)] ?? {})

/** `string (date-time)`, `list of Flow`, `one of: skip, queue` */
export function typeText(schema: JsonSchema): string {
  if (schema.$ref) return nameOf(schema.$ref)
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as JsonSchema[]
  if (choices.length > 0) return [...new Set(choices.map(typeText))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `one of: ${schema.enum.join(', ')}`
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  if (type === 'array') return `list of ${typeText((schema.items ?? {}) as JsonSchema)}`
  return schema.format ? `${type} (${schema.format})` : type
}

/** The fields of an object, or of the objects that a list or a choice holds; each name once. */
export function fieldsOf(schema: JsonSchema, components: Components): SchemaField[] {
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
  const all = [...own, ...inner.flatMap((each) => fieldsOf(each, components))]
  return [...new Map(all.toReversed().map((field) => [field.name, field])).values()].toReversed()
}
