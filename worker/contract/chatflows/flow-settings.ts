/**
 * Reads a flow's `apiConfig` and `chatbotConfig`: JSON texts that Flowise's clients write, in which numbers may be texts.
 * Invalid settings allow nothing.
 */
import * as z from 'zod'
import { tryParseJson } from '../data/json.ts'
import { MAX_CALL_CHARACTERS } from '../predictions/call-size.ts'

const LONGEST_WINDOW_SECONDS = 366 * 86_400

/** Forms send numbers as texts. */
const countSchema = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number('This must be a number above 0').positive('This must be a number above 0').transform(Math.ceil),
)

/** At most `limitMax` calls per IP address within `limitDuration` seconds. */
const rateLimitSchema = z.object({
  status: z.literal(true),
  limitMax: countSchema,
  limitDuration: countSchema.transform((seconds) => Math.min(seconds, LONGEST_WINDOW_SECONDS)),
  limitMsg: z.string().optional().catch(undefined),
})

/** Characters of a call without its files, from anybody who is neither a member nor has a key, where the owner set none. */
export const ANONYMOUS_CHARACTERS = 100_000

/** At most so many characters in a call of an anonymous caller. */
const callSizeSchema = z.object({
  status: z.literal(true),
  maxCharacters: countSchema.transform((characters) => Math.min(characters, MAX_CALL_CHARACTERS)),
})

const permitsSchema = z.array(z.object({ name: z.string(), enabled: z.boolean().catch(false) })).catch([])

const overrideRulesSchema = z.object({
  status: z.literal(true),
  /** By node label. */
  nodes: z.record(z.string(), permitsSchema).catch({}),
  variables: permitsSchema,
})

const apiConfigSchema = z
  .object({
    rateLimit: rateLimitSchema.optional().catch(undefined),
    callSize: callSizeSchema.optional().catch(undefined),
    overrideConfig: overrideRulesSchema.optional().catch(undefined),
    /** Callers may bring tools along, which the flow's last model may call. */
    callerTools: z
      .object({ status: z.literal(true) })
      .optional()
      .catch(undefined),
    /** Anonymous callers see whole traces in place of outlines. */
    fullTrace: z
      .object({ status: z.literal(true) })
      .optional()
      .catch(undefined),
  })
  .catch({})

const chatbotConfigSchema = z
  .object({
    allowedOrigins: z
      .array(z.unknown())
      .catch([])
      .transform((sites) => sites.filter((site) => typeof site === 'string')),
    allowedOriginsError: z.string().optional().catch(undefined),
  })
  .catch({ allowedOrigins: [] })

export type OverrideRules = z.infer<typeof overrideRulesSchema>
export type ApiConfig = z.infer<typeof apiConfigSchema>

/** Returns enabled settings only. */
export function readApiConfig(text: string | null): ApiConfig {
  return apiConfigSchema.parse(tryParseJson(text || '{}'))
}

/** Turns whole traces for anonymous callers on or off. Keeps every other setting. */
export function withFullTrace(apiConfig: string | null, status: boolean): string {
  const settings = tryParseJson(apiConfig || '{}') as { fullTrace?: object } | null | undefined
  return JSON.stringify({ ...settings, fullTrace: { ...settings?.fullTrace, status } })
}

export function readChatbotConfig(text: string | null): z.infer<typeof chatbotConfigSchema> {
  return chatbotConfigSchema.parse(tryParseJson(text || '{}'))
}

interface SettingProblem {
  path: string[]
  message: string
}

const LIMITS = { rateLimit: rateLimitSchema, callSize: callSizeSchema }

/** Returns the problem of the first enabled limit that has one, or undefined. */
export function limitProblem(apiConfig: string): SettingProblem | undefined {
  const settings = tryParseJson(apiConfig || '{}') as
    | Record<string, { status?: unknown } | undefined>
    | null
    | undefined
  for (const [name, schema] of Object.entries(LIMITS)) {
    if (settings?.[name]?.status !== true) continue
    const issue = schema.safeParse(settings[name]).error?.issues[0]
    if (issue) return { path: [name, ...issue.path.map(String)], message: issue.message }
  }
  return undefined
}
