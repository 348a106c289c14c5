/** Payloads of triggers and their deliveries. */
import * as z from 'zod'
import type { RunState } from '../events.ts'
import {
  type Operations,
  operationsSchema,
  type TriggerKind,
  type TriggerSettings,
  triggerSettingsSchema,
} from './settings.ts'

/**
 * - `active`: it starts runs
 * - `paused`: somebody stopped it, or it cannot run as it is set
 * - `failing`: it stopped itself after too many failures in a row
 * - `ended`: its end date has passed, or its flow's start does not name it any more
 */
export const TRIGGER_STATES = ['active', 'paused', 'failing', 'ended'] as const
export type TriggerState = (typeof TRIGGER_STATES)[number]

/**
 * - `queued`: taken, and waits for a worker, for the delivery before it, or for its next try
 * - `running`
 * - `succeeded`: also when the run stopped to ask a person
 * - `dead`: every try failed; it can be replayed
 * - `skipped`: it was due and did not run, for the reason given
 * - `refused`: a request that was not taken, for the reason given
 */
export const DELIVERY_STATES = ['queued', 'running', 'succeeded', 'dead', 'skipped', 'refused'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** What made a delivery. */
export const DELIVERY_SOURCES = ['schedule', 'webhook', 'manual', 'replay'] as const
export type DeliverySource = (typeof DELIVERY_SOURCES)[number]

const name = z.string().trim().min(1, 'Name is required').max(200)

export const createTriggerSchema = z.object({
  flowId: z.uuid('This is not the id of a flow'),
  name,
  settings: triggerSettingsSchema,
  operations: operationsSchema.prefault({}),
})

export const updateTriggerSchema = z.object({
  name: name.optional(),
  settings: triggerSettingsSchema.optional(),
  operations: operationsSchema.optional(),
})

export const listTriggersSchema = z.object({
  flowId: z.string().max(100).optional(),
  kind: z.enum(['schedule', 'webhook']).optional(),
  state: z.enum(TRIGGER_STATES).optional(),
  search: z.string().max(200).optional(),
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(100).default(20),
})

export const listDeliveriesSchema = z.object({
  triggerId: z.string().max(100).optional(),
  state: z.enum(DELIVERY_STATES).optional(),
  source: z.enum(DELIVERY_SOURCES).optional(),
  startDate: z.iso.datetime({ offset: true }).optional(),
  endDate: z.iso.datetime({ offset: true }).optional(),
  /** The `cursor` of the page before: keyset, newest first. */
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().positive().max(100).default(20),
})

/** What a run of its own is started with; absent parts are as in the first delivery, or as the trigger is set. */
export const payloadSchema = z.object({
  question: z.string().max(100_000).optional(),
  form: z.record(z.string(), z.unknown()).optional(),
  webhook: z
    .object({
      body: z.unknown(),
      headers: z.record(z.string(), z.string()),
      query: z.record(z.string(), z.unknown()),
    })
    .optional(),
  /** The conversation that it goes on with; one of its own unless told. */
  chatId: z.string().min(1).max(200).optional(),
})

/** A request as a flow sees it: names of headers in lower case, secrets among them redacted. */
export type WebhookPayload = NonNullable<z.infer<typeof payloadSchema>['webhook']>

export const replayDeliverySchema = z.object({ payload: payloadSchema.optional() })

export const rotateSecretSchema = z.object({
  /** A secret that the sender made: Stripe's and Slack's are given, not chosen. Absent: a new random one. */
  secret: z.string().min(8).max(500).optional(),
  /** How long the secret before it still counts. */
  overlapHours: z.number().min(0).max(720).default(24),
})

/** What all webhooks of a workspace may take together. */
export const triggerLimitsSchema = z.object({ perMinute: z.number().int().positive().max(1_000_000).nullable() })

export type CreateTrigger = z.infer<typeof createTriggerSchema>
export type UpdateTrigger = z.infer<typeof updateTriggerSchema>
export type ListTriggers = z.infer<typeof listTriggersSchema>
export type ListDeliveries = z.infer<typeof listDeliveriesSchema>
export type Payload = z.infer<typeof payloadSchema>
export type RotateSecret = z.infer<typeof rotateSecretSchema>
export type TriggerLimits = z.infer<typeof triggerLimitsSchema>

export interface Trigger {
  id: string
  flowId: string
  flow: { id: string; name: string; type: string }
  /** The start node that holds its settings; null: it was made beside the flow. */
  nodeId: string | null
  name: string
  kind: TriggerKind
  settings: TriggerSettings
  operations: Operations
  state: TriggerState
  /** Why it is not active. */
  stateReason: string | null
  /** ISO; null while it is not active, and of webhooks. */
  nextDue: string | null
  failuresInRow: number
  /** Of webhooks: below the product's own address. */
  path: string | null
  hasSecret: boolean
  /** Until when the secret before the current one counts. */
  previousSecretUntil: string | null
  createdDate: string
  updatedDate: string
}

/** A row of the monitor's list. The figures are of the last seven days. */
export interface TriggerSummary extends Trigger {
  lastDelivery: { id: string; state: DeliveryState; date: string } | null
  /** Of the deliveries that ended. */
  succeeded: number
  dead: number
  skipped: number
  refused: number
  /** Milliseconds: 95 of 100 took at most so long; null when none ended. */
  p95: number | null
  /** US dollars; null when no price is known. */
  cost: number | null
}

export interface TriggerList {
  data: TriggerSummary[]
  total: number
}

export interface DeliveryRequest {
  method: string
  headers: Record<string, string>
  query: Record<string, unknown>
  /** As text, cut to 64 KiB; secrets in headers are redacted. */
  body: string
  isCut: boolean
}

export interface DeliveryResponse {
  status: number
  /** Cut to 64 KiB. */
  body: string
}

export interface Callback {
  url: string
  attempts: number
  /** Of the last attempt; null when nobody answered. */
  status: number | null
  error: string | null
  isDelivered: boolean
}

export interface Delivery {
  id: string
  triggerId: string
  flowId: string
  source: DeliverySource
  state: DeliveryState
  /** Why it was skipped or refused, or what went wrong. */
  reason: string | null
  /** When it was due, or when it came. */
  dueDate: string
  startedDate: string | null
  finishedDate: string | null
  /** Tries so far. */
  attempts: number
  /** While it waits for its next try. */
  nextAttemptDate: string | null
  executionId: string | null
  executionState: RunState | null
  /** Milliseconds. */
  duration: number | null
  totalTokens: number
  totalCost: number | null
  /** The delivery that this one repeats. */
  replayOf: string | null
}

export interface DeliveryDetail extends Delivery {
  payload: Payload | null
  request: DeliveryRequest | null
  response: DeliveryResponse | null
  callback: Callback | null
}

export interface DeliveryList {
  data: Delivery[]
  /** Null on the last page. */
  cursor: string | null
}

export interface NewSecret {
  /** Shown this once. */
  secret: string
}
