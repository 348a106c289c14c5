import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  type Callback,
  DELIVERY_SOURCES,
  DELIVERY_STATES,
  type DeliveryRequest,
  type DeliveryResponse,
  type Payload,
  TRIGGER_STATES,
} from '#contract/triggers/index.ts'
import { type Operations, TRIGGER_KINDS, type TriggerSettings } from '#contract/triggers/settings.ts'
import { isReference, longJson } from '../long-text.ts'
import { workspaces } from './account.ts'
import { chatflows } from './chatflows.ts'

/** Triggers, which start a flow on a schedule or on a request. */
export const triggers = sqliteTable(
  'triggers',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    flowId: text('flow_id')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    /** The start node that holds the same settings; null: it was made beside the flow. */
    nodeId: text('node_id'),
    name: text('name').notNull(),
    kind: text('kind', { enum: TRIGGER_KINDS }).notNull(),
    settings: text('settings', { mode: 'json' }).$type<TriggerSettings>().notNull(),
    operations: text('operations', { mode: 'json' }).$type<Operations>().notNull(),
    state: text('state', { enum: TRIGGER_STATES }).notNull(),
    stateReason: text('state_reason'),
    /** The minute at which it runs next, ISO; null while it is not active, and of webhooks. */
    nextDue: text('next_due'),
    /** Expression, zone and end date in one text: while a save leaves it, `nextDue` stays. */
    timing: text('timing'),
    failuresInRow: integer('failures_in_row').notNull().default(0),
    /** `{secret, previous?, previousUntil?}` under the workspace's key. */
    encryptedSecrets: text('encrypted_secrets'),
    previousSecretUntil: text('previous_secret_until'),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [
    index('triggers_workspace').on(t.workspaceId, t.updatedDate, t.id),
    index('triggers_due').on(t.state, t.nextDue),
    uniqueIndex('triggers_node').on(t.flowId, t.nodeId),
  ],
)

/** One occasion of a trigger: a due minute, or a request that came. */
export const triggerDeliveries = sqliteTable(
  'trigger_deliveries',
  {
    /** `<trigger id>-<YYYYMMDDHHmm>` of a due minute; else random. Also the id of its Workflow instance. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    triggerId: text('trigger_id')
      .notNull()
      .references(() => triggers.id, { onDelete: 'cascade' }),
    flowId: text('flow_id').notNull(),
    source: text('source', { enum: DELIVERY_SOURCES }).notNull(),
    state: text('state', { enum: DELIVERY_STATES }).notNull(),
    reason: text('reason'),
    dueDate: text('due_date').notNull(),
    startedDate: text('started_date'),
    finishedDate: text('finished_date'),
    attempts: integer('attempts').notNull().default(0),
    /** While queued: not before. */
    nextAttemptDate: text('next_attempt_date'),
    /** While queued: when it was handed to a Workflow instance that has not taken it yet; and how often it was, in all. */
    handedDate: text('handed_date'),
    timesHanded: integer('times_handed').notNull().default(0),
    executionId: text('execution_id'),
    duration: integer('duration'),
    totalTokens: integer('total_tokens').notNull().default(0),
    totalCost: real('total_cost'),
    replayOf: text('replay_of'),
    payload: longJson('payload').$type<Payload>(),
    /** The chat of `payload`, which SQL cannot read where it is kept in parts. */
    chatId: text('chat_id'),
    request: text('request', { mode: 'json' }).$type<DeliveryRequest>(),
    response: text('response', { mode: 'json' }).$type<DeliveryResponse>(),
    callback: text('callback', { mode: 'json' }).$type<Callback>(),
  },
  (t) => [
    index('trigger_deliveries_trigger').on(t.triggerId, t.workspaceId, t.dueDate, t.id),
    index('trigger_deliveries_workspace').on(t.workspaceId, t.dueDate, t.id),
    index('trigger_deliveries_open').on(t.state, t.nextAttemptDate),
    index('trigger_deliveries_execution').on(t.executionId),
    index('trigger_deliveries_dead').on(t.workspaceId, t.dueDate, t.id).where(sql`${t.state} = 'dead'`),
    index('trigger_deliveries_replay')
      .on(t.workspaceId, t.replayOf, t.dueDate, t.id)
      .where(sql`${t.replayOf} is not null`),
    index('trigger_deliveries_payload_long').on(t.payload).where(isReference(t.payload)),
  ],
)

/** Delivery ids of senders, so that no delivery is accepted twice. */
export const triggerReceipts = sqliteTable(
  'trigger_receipts',
  {
    triggerId: text('trigger_id')
      .notNull()
      .references(() => triggers.id, { onDelete: 'cascade' }),
    /** The sender's delivery id, or the signature where it sends none. */
    key: text('key').notNull(),
    deliveryId: text('delivery_id').notNull(),
    /** Until it may be forgotten. */
    expiresDate: text('expires_date').notNull(),
  },
  (t) => [primaryKey({ columns: [t.triggerId, t.key] }), index('trigger_receipts_expiry').on(t.expiresDate)],
)
