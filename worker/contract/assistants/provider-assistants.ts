/** Assistants that live at OpenAI, at Azure or on a compatible server, as its API (version 2) describes them. */
import * as z from 'zod'
import { isRecord, tryParseJson } from '../data/json.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'

export const PROVIDER_TYPES = ['OPENAI', 'AZURE'] as const
const providerTypeSchema = z.enum(PROVIDER_TYPES)
export type ProviderType = z.infer<typeof providerTypeSchema>

export const OPENAI_BASE = 'https://api.openai.com/v1'

const basepath = z.union([
  z.literal(''),
  z.url({ protocol: /^https?$/, error: 'Enter an address such as https://…' }).max(2000),
])

/** The details that a provider gets, and the address of the provider. */
export const providerDetailsSchema = withMaxKeys(
  z.looseObject({
    /** The provider's id; absent before it exists there. */
    id: z
      .string()
      .regex(/^[\w-]{1,200}$/, 'This is no id of an assistant')
      .optional(),
    name: z.string().trim().min(1, 'Name is required').max(256),
    description: z.string().max(512).nullish(),
    model: z.string().trim().min(1, 'Model is required').max(256),
    instructions: z.string().max(256_000).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    tools: z
      .array(withMaxKeys(z.looseObject({ type: z.string().max(100) })))
      .max(128)
      .default([]),
    tool_resources: withMaxKeys(z.record(z.string(), z.unknown())).nullish(),
    basepath: basepath.default(''),
  }),
)
export type ProviderDetails = z.infer<typeof providerDetailsSchema>

export const findProviderAssistantsSchema = z.object({
  credential: z.string().min(1, 'Choose a credential').max(100),
  type: providerTypeSchema.default('OPENAI'),
  basepath: basepath.default(''),
})

/** An assistant, as the provider returns it. */
export const providerAssistantSchema = z.looseObject({ id: z.string() }).meta({ id: 'ProviderAssistant' })
export type ProviderAssistant = z.infer<typeof providerAssistantSchema>

/** Reads stored details; undefined for text that is none. */
export function readProviderDetails(text: string): ProviderDetails | undefined {
  const stored = tryParseJson(text)
  return isRecord(stored) ? providerDetailsSchema.safeParse(stored).data : undefined
}
