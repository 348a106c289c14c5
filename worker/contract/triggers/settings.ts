/** What a trigger is set to. A Start node keeps the same settings as its inputs (`start.ts`). */
import * as z from 'zod'
import { withMaxKeys } from '../bounds.ts'

export const TRIGGER_KINDS = ['schedule', 'webhook'] as const
export type TriggerKind = (typeof TRIGGER_KINDS)[number]

const seconds = (max: number) => z.number().int().min(0).max(max)

export const scheduleSettingsSchema = z.object({
  kind: z.literal('schedule'),
  /** Five fields; names of months and weekdays, ranges, steps, lists, `L` for the last day of the month. */
  cron: z.string().trim().min(1).max(200),
  /** IANA name. */
  timezone: z.string().max(64).default('UTC'),
  /** ISO date and time after which it never runs again. */
  endDate: z.iso.datetime({ offset: true }).max(40).nullable().default(null),
  /** What happens when it is due while its last run still goes on. */
  overlap: z.enum(['skip', 'queue', 'together']).default('skip'),
  /** What becomes of the runs that were due while Heddle was down: none, or one for all of them. */
  missed: z.enum(['skip', 'runOnce']).default('skip'),
  /** Each run starts up to so many seconds late, always the same for the same due time. */
  jitterSeconds: seconds(3600).default(0),
  input: z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('none') }),
    z.object({ mode: z.literal('text'), text: z.string().trim().min(1).max(50_000) }),
    z.object({ mode: z.literal('form'), form: withMaxKeys(z.record(z.string(), z.unknown())) }),
  ]),
})

export const WEBHOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const BODY_TYPES = [
  'string',
  'number',
  'boolean',
  'object',
  'array[string]',
  'array[number]',
  'array[boolean]',
  'array[object]',
] as const

/** How a request proves that it comes from who knows the secret. */
export const SIGNATURES = [
  'none',
  'heddle',
  'github',
  'stripe',
  'slack',
  'shopify',
  'hmac-sha256',
  'plain-token',
] as const
export type Signature = (typeof SIGNATURES)[number]

const expected = z.object({ name: z.string().min(1).max(200), required: z.boolean().default(false) })
/** It is part of flows, their versions and exports, and shown to everybody who may see the trigger. */
const url = z
  .url({ protocol: /^https?$/, error: 'This must be an address that begins with http:// or https://' })
  .max(2000)
  .refine((text) => !hasCredentials(text), 'This must not hold a user name or a password: everybody here can read it')

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

export const webhookSettingsSchema = z.object({
  kind: z.literal('webhook'),
  method: z.enum(WEBHOOK_METHODS).default('POST'),
  contentType: z.enum(['application/json', 'application/x-www-form-urlencoded']).default('application/json'),
  signature: z.enum(SIGNATURES).default('none'),
  /** Of `hmac-sha256` and `plain-token`; the other schemes have headers of their own. */
  signatureHeader: z.string().min(1).max(200).default('x-webhook-signature'),
  /** How old a signed time may be. */
  toleranceSeconds: z.number().int().min(1).max(86_400).default(300),
  maxBytes: z
    .number()
    .int()
    .min(1)
    .max(4 * 1024 * 1024)
    .default(1024 * 1024),
  input: z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('none') }),
    z.object({ mode: z.literal('payload') }),
    /** `{{ $webhook.body.x }}` in it is the request's. */
    z.object({ mode: z.literal('text'), text: z.string().max(50_000) }),
  ]),
  /** Null: any request of this method and content type. */
  validation: z
    .object({
      query: z.array(expected).max(100),
      headers: z.array(expected).max(100),
      body: z.array(expected.extend({ type: z.enum(BODY_TYPES) })).max(100),
    })
    .nullable()
    .default(null),
  response: z.enum(['sync', 'async', 'stream']).default('sync'),
  /** Where the answer of an `async` delivery is sent. */
  callbackUrl: url.nullable().default(null),
})

export const triggerSettingsSchema = z.discriminatedUnion('kind', [scheduleSettingsSchema, webhookSettingsSchema])

/** How a trigger is operated; kept on its row only. */
export const operationsSchema = z.object({
  /** How often a run that failed is tried again. */
  retries: z.number().int().min(0).max(10).default(0),
  /** Before the first retry; doubles with each one. */
  retryWaitSeconds: seconds(3600).default(60),
  /** Failures in a row after which it pauses itself; 0: never. */
  pauseAfter: z.number().int().min(0).max(1000).default(5),
  /**
   * Requests that a webhook takes within a minute; null: only the workspace's limit counts. Schedules, runs by hand and
   * replays are not counted: what people do must not use up a sender's share.
   */
  perMinute: z.number().int().positive().max(100_000).nullable().default(null),
  /** How long deliveries are kept. */
  keepDays: z.number().int().min(1).max(3650).default(30),
  /** Who is told when it pauses itself or gives a delivery up. */
  alertUrl: url.nullable().default(null),
  alertEmail: z.email().max(320).nullable().default(null),
})

export type ScheduleSettings = z.infer<typeof scheduleSettingsSchema>
export type WebhookSettings = z.infer<typeof webhookSettingsSchema>
export type TriggerSettings = z.infer<typeof triggerSettingsSchema>
export type Operations = z.infer<typeof operationsSchema>
