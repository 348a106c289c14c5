/** Generates a value that matches a JSON Schema, with every field filled. */
import type { JsonSchema } from '#contract/openapi.ts'

interface SampleOptions {
  /** The text of a field; undefined: any that has the format. */
  sampleText(name: string, format: string | undefined): string | undefined
  components?: Record<string, JsonSchema>
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00.000Z',
  uuid: '3f2c7b1e-9a54-4c0d-8e21-6b7d5f0a1c33',
  email: 'ann@example.com',
  uri: 'https://example.com/',
}

export function sample(schema: JsonSchema, options: SampleOptions, name = '', inside: readonly string[] = []): unknown {
  const id = schema.$ref?.replace('#/components/schemas/', '')
  if (id !== undefined) {
    return inside.includes(id) ? undefined : sample(options.components?.[id] ?? {}, options, name, [...inside, id])
  }
  const of = (part: unknown, key = name) => sample(part as JsonSchema, options, key, inside)
  const [choice] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (choice !== undefined) return of(choice)
  if (schema.const !== undefined) return schema.const
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.enum) return schema.enum[0]
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .map(([key, part]) => [key, of(part, key)])
          .filter(([, value]) => value !== undefined),
      )
    case 'array': {
      const item = of(schema.items ?? {})
      return item === undefined ? [] : [item]
    }
    case 'string':
      return (
        options.sampleText(name, schema.format) ??
        FORMATS[schema.format ?? ''] ??
        'text'.padEnd(schema.minLength ?? 0, '-')
      )
    case 'number':
    case 'integer':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return {}
  }
}
