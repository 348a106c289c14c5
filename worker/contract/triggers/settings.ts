/** Settings of triggers. A Start node stores the same settings as inputs (`start.ts`). */
import * as z from 'zod'
import { EMAIL_HINT } from '../account/email-hint.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'

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
  /** What happens when it is due while its previous run is in progress. */
  overlap: z.enum(['skip', 'queue', 'together']).default('skip'),
  /** Whether runs missed while Heddle was down are skipped or made up for with one run. */
  missed: z.enum(['skip', 'runOnce']).default('skip'),
  /** Maximum random delay of each run, in seconds; stable for the same due time. */
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

/** The ways to authenticate requests. */
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
/** Must not contain credentials: it is part of flows, versions and exports, and visible to everyone who may view the trigger. */
const url = z
  .url({ protocol: /^https?$/, error: 'This must be a URL that starts with http:// or https://' })
  .max(2000)
  .refine(
    (text) => !hasCredentials(text),
    'This must not contain a user name or password, because everyone in the workspace can read it',
  )

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
  /** Header for `hmac-sha256` and `plain-token`; the other schemes have fixed headers. */
  signatureHeader: z.string().min(1).max(200).default('x-webhook-signature'),
  /** Maximum age of a signed time. */
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
    /** May reference the request: `{{ $webhook.body.x }}`. */
    z.object({ mode: z.literal('text'), text: z.string().max(50_000) }),
  ]),
  /** Null accepts any request with this method and content type. */
  validation: z
    .object({
      query: z.array(expected).max(100),
      headers: z.array(expected).max(100),
      body: z.array(expected.extend({ type: z.enum(BODY_TYPES) })).max(100),
    })
    .nullable()
    .default(null),
  response: z.enum(['sync', 'async', 'stream']).default('sync'),
  /** Receives the result of `async` deliveries. */
  callbackUrl: url.nullable().default(null),
})

export const triggerSettingsSchema = z.discriminatedUnion('kind', [scheduleSettingsSchema, webhookSettingsSchema])

/** Operational settings of a trigger; stored on its row only. */
export const operationsSchema = z.object({
  /** Maximum number of retries after a failure. */
  retries: z.number().int().min(0).max(10).default(0),
  /** Wait before the first retry, in seconds; doubles with each retry. */
  retryWaitSeconds: seconds(3600).default(60),
  /** Failures in a row after which the trigger is paused; 0 for never. */
  pauseAfter: z.number().int().min(0).max(1000).default(5),
  /**
   * Requests that a webhook accepts per minute; null leaves only the workspace's limit. Schedules, manual runs and replays
   * do not count.
   */
  perMinute: z.number().int().positive().max(100_000).nullable().default(null),
  /** Days until deliveries are deleted. */
  keepDays: z.number().int().min(1).max(3650).default(30),
  /** Recipients of alerts when a delivery is dead or the trigger was paused. */
  alertUrl: url.nullable().default(null),
  alertEmail: z.email(EMAIL_HINT).max(320).nullable().default(null),
})

export type ScheduleSettings = z.infer<typeof scheduleSettingsSchema>
export type WebhookSettings = z.infer<typeof webhookSettingsSchema>
export type TriggerSettings = z.infer<typeof triggerSettingsSchema>
export type Operations = z.infer<typeof operationsSchema>
