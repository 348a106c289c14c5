/** Returns a value that a schema probably accepts, with every field filled as an attacker would. */
import type * as z from 'zod'
import { sample } from '../../areas/openapi/sample.ts'
import { createSchemas } from '../../areas/openapi/schemas.ts'
import { SEED_ID } from './seed.ts'

/** Texts for fields that do not accept an id. */
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
  const schemas = createSchemas()
  const sampleText = (name: string, format?: string) => (format === 'date-time' ? undefined : (TEXTS[name] ?? SEED_ID))
  return sample(schemas.of(schema, 'input'), { sampleText, components: schemas.components() })
}
