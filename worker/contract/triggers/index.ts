/** Payloads of triggers and their deliveries. */

import * as z from 'zod'
import { flowTypeSchema } from '../flow/flow-type-schema.ts'
import { predictionAnswerSchema } from '../predictions/predictions.ts'
import { humanInputActionSchema, runStateSchema } from '../runs/events.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { dateSchema, pageOf } from '../schemas/responses.ts'
import { operationsSchema, TRIGGER_KINDS, triggerSettingsSchema } from './settings.ts'

/**
 * - `active`: it starts runs
 * - `paused`: a person paused it, or its settings are invalid
 * - `failing`: it was paused after too many failures in a row
 * - `ended`: its end date has passed, or its flow's Start node no longer uses it
 */
export const TRIGGER_STATES = ['active', 'paused', 'failing', 'ended'] as const
export type TriggerState = (typeof TRIGGER_STATES)[number]

/**
 * - `queued`: waits for a worker, for the previous delivery, or for its next attempt
 * - `running`
 * - `succeeded`: the run finished, or waits for a person
 * - `dead`: every attempt failed; it can be replayed
 * - `skipped`: it was due and did not run, for the given reason
 * - `refused`: the request was rejected, for the given reason
 */
export const DELIVERY_STATES = ['queued', 'running', 'succeeded', 'dead', 'skipped', 'refused'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The origins of deliveries. */
export const DELIVERY_SOURCES = ['schedule', 'webhook', 'manual', 'replay'] as const
export type DeliverySource = (typeof DELIVERY_SOURCES)[number]

const name = z.string().trim().min(1, 'Name is required').max(200)

export const createTriggerSchema = z.object({
  flowId: z.uuid('This must be the id of a flow'),
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
  startDate: z.iso.datetime({ offset: true }).max(40).optional(),
  endDate: z.iso.datetime({ offset: true }).max(40).optional(),
  /** The `cursor` of the previous page; newest first. */
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().positive().max(100).default(20),
})

export const listDeadSchema = listDeliveriesSchema.pick({ cursor: true, limit: true })

/** The payload of a manual run or replay; absent parts are those of the original delivery or of the trigger. */
export const payloadSchema = z.object({
  question: z.string().max(100_000).optional(),
  form: withMaxKeys(z.record(z.string(), z.unknown())).optional(),
  webhook: z
    .object({
      body: z.unknown(),
      headers: withMaxKeys(z.record(z.string(), z.string().max(100_000))),
      query: withMaxKeys(z.record(z.string(), z.unknown())),
    })
    .optional(),
  /** The conversation to continue; a new one by default. */
  chatId: z.string().min(1).max(200).optional(),
})

/** A request as the flow sees it: header names in lower case, secrets redacted. */
export type WebhookPayload = NonNullable<z.infer<typeof payloadSchema>['webhook']>

export const replayDeliverySchema = z.object({ payload: payloadSchema.optional() })

export const rotateSecretSchema = z.object({
  /** A secret issued by the sender, such as Stripe's or Slack's. Absent: a new random one. */
  secret: z.string().min(8).max(500).optional(),
  /** How long the previous secret stays valid. */
  overlapHours: z.number().min(0).max(720).default(24),
})

/** Limit on the requests of all webhooks of a workspace. */
export const triggerLimitsSchema = z.object({ perMinute: z.number().int().positive().max(1_000_000).nullable() })

export type CreateTrigger = z.infer<typeof createTriggerSchema>
export type UpdateTrigger = z.infer<typeof updateTriggerSchema>
export type ListTriggers = z.infer<typeof listTriggersSchema>
export type ListDead = z.infer<typeof listDeadSchema>
export type ListDeliveries = z.infer<typeof listDeliveriesSchema>
export type Payload = z.infer<typeof payloadSchema>
export type RotateSecret = z.infer<typeof rotateSecretSchema>
export type TriggerLimits = z.infer<typeof triggerLimitsSchema>

export const triggerSchema = z
  .object({
    id: z.string(),
    flowId: z.string(),
    flow: z.object({ id: z.string(), name: z.string(), type: flowTypeSchema }),
    nodeId: z
      .string()
      .nullable()
      .describe('The Start node that holds its settings; null when it was created outside the flow'),
    name: z.string(),
    kind: z.enum(TRIGGER_KINDS),
    settings: triggerSettingsSchema,
    operations: operationsSchema,
    state: z.enum(TRIGGER_STATES),
    stateReason: z.string().nullable().describe('Why it is not active'),
    nextDue: dateSchema.nullable().describe('Null for webhooks, and while it is not active'),
    failuresInRow: z.int(),
    path: z.string().nullable().describe('Path of a webhook below the origin of the product; null for schedules'),
    hasSecret: z.boolean(),
    previousSecretUntil: dateSchema.nullable().describe('When the previous secret expires'),
    createdDate: dateSchema,
    updatedDate: dateSchema,
  })
  .meta({ id: 'Trigger' })

/** A trigger with statistics of the last seven days. */
export const triggerSummarySchema = triggerSchema
  .extend({
    lastDelivery: z.object({ id: z.string(), state: z.enum(DELIVERY_STATES), date: dateSchema }).nullable(),
    succeeded: z.int().describe('Deliveries of the last seven days that ended in this state, like the next three'),
    dead: z.int(),
    skipped: z.int(),
    refused: z.int(),
    p95: z.number().nullable().describe('95th percentile of the duration in milliseconds; null when none ended'),
    cost: z.number().nullable().describe('US dollars; null when no price is known'),
  })
  .meta({ id: 'TriggerSummary' })

export const triggerListSchema = pageOf(triggerSummarySchema)

const deliveryRequestSchema = z.object({
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  query: z.record(z.string(), z.unknown()),
  body: z.string().describe('Text, cut to 64 KiB; secrets in headers are redacted'),
  isCut: z.boolean(),
})

const deliveryResponseSchema = z.object({ status: z.int(), body: z.string().describe('Cut to 64 KiB') })

const callbackSchema = z.object({
  url: z.string(),
  attempts: z.int(),
  status: z.int().nullable().describe('Status of the last attempt; null when there was no response'),
  error: z.string().nullable(),
  isDelivered: z.boolean(),
})

export const deliverySchema = z
  .object({
    id: z.string(),
    triggerId: z.string(),
    flowId: z.string(),
    source: z.enum(DELIVERY_SOURCES),
    state: z.enum(DELIVERY_STATES),
    reason: z.string().nullable().describe('Why it was skipped or refused, or the error'),
    dueDate: dateSchema.describe('When it was due or received'),
    startedDate: dateSchema.nullable(),
    finishedDate: dateSchema.nullable(),
    attempts: z.int().describe('Attempts so far'),
    nextAttemptDate: dateSchema.nullable().describe('When it is retried; null when it is not'),
    executionId: z.string().nullable(),
    executionState: runStateSchema.nullable(),
    duration: z.number().nullable().describe('Milliseconds'),
    totalTokens: z.number(),
    totalCost: z.number().nullable(),
    replayOf: z.string().nullable().describe('The delivery that this one repeats'),
  })
  .meta({ id: 'Delivery' })

export const deliveryDetailSchema = deliverySchema
  .extend({
    payload: payloadSchema.nullable(),
    request: deliveryRequestSchema.nullable(),
    response: deliveryResponseSchema.nullable(),
    callback: callbackSchema.nullable(),
  })
  .meta({ id: 'DeliveryDetail' })

export const deliveryListSchema = z.object({
  data: z.array(deliverySchema),
  cursor: z.string().nullable().describe('Null on the last page'),
})

/** A dead delivery with its trigger and flow. */
const deadDeliverySchema = deliverySchema
  .extend({
    trigger: triggerSchema.pick({ id: true, name: true, kind: true }),
    flow: triggerSchema.shape.flow,
    lastReplay: z
      .object({ id: z.string(), state: z.enum(DELIVERY_STATES) })
      .nullable()
      .describe('The newest delivery that repeats this one'),
  })
  .meta({ id: 'DeadDelivery' })

export const deadDeliveryListSchema = z.object({
  data: z.array(deadDeliverySchema),
  cursor: z.string().nullable().describe('Null on the last page'),
})

export const newSecretSchema = z.object({ secret: z.string().describe('Shown only once') })

/** Flowise's shape of the same. */
export const newWebhookSecretSchema = z.object({ webhookSecret: z.string().describe('Shown only once') })

/** The answer of an async webhook. */
export const processingSchema = z.object({
  chatId: z.string(),
  status: z.literal('PROCESSING'),
  notice: z.string().optional().describe('Why the request did not continue the conversation that it named'),
  deliveryId: z.string(),
  statusUrl: z.string().describe('Returns the status of the delivery'),
})

const waitingSchema = z.object({
  text: z.string(),
  executionId: z.string(),
  action: humanInputActionSchema.nullable(),
})

const outcomes = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.discriminatedUnion('status', [
    z.object({ ...fields, status: z.literal('PROCESSING') }),
    z.object({ ...fields, status: z.literal('SUCCESS'), data: predictionAnswerSchema }),
    z.object({ ...fields, status: z.literal('STOPPED'), data: waitingSchema }),
    z.object({ ...fields, status: z.literal('ERROR'), error: z.string() }),
  ])

const chatOfOutcome = { chatId: z.string().nullable() }

/** The outcome of a delivery, as sent to the callback URL. */
const deliveryStatusSchema = outcomes(chatOfOutcome)
/** The outcome of a delivery, as its status URL returns it. */
export const deliveryStatusAnswerSchema = outcomes({ ...chatOfOutcome, deliveryId: z.string() })

/** The answer to a verification request: GitHub's ping, Slack's challenge. */
export const handshakeSchema = z.record(z.string(), z.string())

export type Trigger = z.infer<typeof triggerSchema>
export type TriggerSummary = z.infer<typeof triggerSummarySchema>
export type TriggerList = z.infer<typeof triggerListSchema>
export type DeliveryRequest = z.infer<typeof deliveryRequestSchema>
export type DeliveryResponse = z.infer<typeof deliveryResponseSchema>
export type Callback = z.infer<typeof callbackSchema>
export type Delivery = z.infer<typeof deliverySchema>
export type DeliveryDetail = z.infer<typeof deliveryDetailSchema>
export type DeliveryList = z.infer<typeof deliveryListSchema>
export type DeadDelivery = z.infer<typeof deadDeliverySchema>
export type DeadDeliveryList = z.infer<typeof deadDeliveryListSchema>
export type NewSecret = z.infer<typeof newSecretSchema>
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>
