/** A value that a schema is likely to take: every field filled, as an attacker would. */
import * as z from 'zod'
import { SEED_ID } from './seed.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Texts that a plain id cannot stand for. */
const TEXTS: Record<string, string> = {
  flowData: JSON.stringify({ nodes: [], edges: [] }),
  chatbotConfig: '{}',
  apiConfig: '{}',
  analytic: '{}',
  speechToText: '{}',
  textToSpeech: '{}',
  followUpPrompts: '{}',
}

export function sampleOf(schema: z.ZodType | undefined): unknown {
  if (!schema) return undefined
  return sample(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '')
}

function sample(schema: JsonSchema, name: string): unknown {
  const [choice] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (typeof choice === 'object') return sample(choice as JsonSchema, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, value]) => [key, sample(value as JsonSchema, key)]),
      )
    case 'array':
      return [sample((schema.items ?? {}) as JsonSchema, name)]
    case 'string':
      return schema.format === 'date-time' ? '2026-01-01T00:00:00.000Z' : (TEXTS[name] ?? SEED_ID)
    case 'number':
    case 'integer':
      return Math.max(1, (schema.minimum as number | undefined) ?? 1)
    case 'boolean':
      return true
    default:
      return {}
  }
}
