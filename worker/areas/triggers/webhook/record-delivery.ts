/** Keeps a delivery: one that is taken, or one that was not, for the monitor. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { Payload } from '#contract/triggers/index.ts'
import { triggerDeliveries, triggerReceipts } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { takeFrom } from '../../../http/rate-limit.ts'
import type { Statement } from '../../../runs/run-record.ts'
import type { Services } from '../../../services.ts'
import type { DeliveryRow } from '../rows.ts'
import type { Webhook } from './find-webhook.ts'
import { type IncomingRequest, type SizeLimits, storedRequest } from './incoming-request.ts'

/** Longer than senders go on trying, and than any signed time counts. */
const RECEIPT_DAYS = 7
/** What was not taken is kept so often and so short, so that strangers cannot fill the database. */
const MAX_RECORDED_PER_MINUTE = 10
const MAX_RECORDED_PER_DAY = 1000
const SHORT_LIMITS: SizeLimits = { bytes: 2048, characters: 256, entries: 40 }
const FULL_LIMITS: SizeLimits = { bytes: 64 * 1024, characters: 4096, entries: 100 }

export interface NewDelivery {
  id: string
  payload: Payload
  receipts: string[]
  /** Starts at once, here, as this run; else it waits for a worker. */
  executionId?: string
}

type Request = { hook: Webhook; incoming: IncomingRequest }

/**
 * Writes the delivery, its receipts and what else belongs to it in one batch, which breaks as a whole when one of the
 * receipts is there already: then null is written where null is refused. A delivery that came to nothing may come again.
 * Throws `conflict`.
 */
export async function recordDelivery(
  services: Services,
  request: Request,
  { delivery, more = [] }: { delivery: NewDelivery; more?: Statement[] },
): Promise<DeliveryRow> {
  const { db } = services
  const { hook, incoming } = request
  const values = { ...valuesOf(request, delivery.id, FULL_LIMITS), ...started(delivery, incoming.at) }
  const insert = scope(db, hook.trigger)
    .insert(triggerDeliveries, { ...values, payload: delivery.payload })
    .returning()
  try {
    const [[row]] = await db.batch([insert, ...receiptStatements(services, request, delivery), ...more])
    return row as DeliveryRow
  } catch (thrown) {
    const earlier = await earlierDelivery(services, hook, delivery)
    if (!earlier) throw thrown
    throw new HeddleError('conflict', `This was already received, as delivery ${earlier}`, { deliveryId: earlier })
  }
}

export interface RejectedRequest {
  state: 'refused' | 'skipped'
  reason: string
  /** Strangers cannot use up the room of who has proven to be the sender. */
  from: 'stranger' | 'sender'
}

/** Resolves also when there was no room left for it. */
export async function recordRejected(
  services: Services,
  request: Request,
  { from, ...rejected }: RejectedRequest,
): Promise<void> {
  const { hook, incoming } = request
  const key = `webhook aside ${hook.trigger.id} ${from}`
  try {
    await takeFrom(services, [
      { key, max: MAX_RECORDED_PER_MINUTE, windowSeconds: 60 },
      { key: `${key} today`, max: MAX_RECORDED_PER_DAY, windowSeconds: 86_400 },
    ])
  } catch (thrown) {
    if (thrown instanceof HeddleError) return
    throw thrown
  }
  const values = valuesOf(request, crypto.randomUUID(), SHORT_LIMITS)
  const finishedDate = incoming.at.toISOString()
  await scope(services.db, hook.trigger).insert(triggerDeliveries, { ...values, ...rejected, finishedDate })
}

function valuesOf({ hook, incoming }: Request, id: string, room: SizeLimits) {
  const { trigger } = hook
  return {
    id,
    triggerId: trigger.id,
    flowId: trigger.flowId,
    source: 'webhook' as const,
    state: 'queued' as const,
    dueDate: incoming.at.toISOString(),
    request: storedRequest(incoming, trigger.settings, room),
  }
}

function started({ executionId }: NewDelivery, at: Date) {
  if (executionId === undefined) return {}
  return { state: 'running' as const, attempts: 1, startedDate: at.toISOString(), executionId }
}

function receiptStatements({ db }: Services, { hook, incoming }: Request, { id, receipts }: NewDelivery): Statement[] {
  if (receipts.length === 0) return []
  const now = incoming.at.toISOString()
  const expiresDate = new Date(incoming.at.getTime() + RECEIPT_DAYS * 86_400_000).toISOString()
  const didNotRun = and(
    eq(triggerDeliveries.id, triggerReceipts.deliveryId),
    inArray(triggerDeliveries.state, ['dead', 'refused']),
  )
  const mayComeAgain = sql`(${triggerReceipts.expiresDate} <= ${now} or exists (
    select 1 from ${triggerDeliveries} where ${scope(db, hook.trigger).inWorkspace(triggerDeliveries, didNotRun)}))`
  return [
    db
      .insert(triggerReceipts)
      .values(receipts.map((key) => ({ triggerId: hook.trigger.id, key, deliveryId: id, expiresDate })))
      .onConflictDoUpdate({
        target: [triggerReceipts.triggerId, triggerReceipts.key],
        set: { deliveryId: sql`case when ${mayComeAgain} then excluded.delivery_id end`, expiresDate },
      }),
  ]
}

async function earlierDelivery({ db }: Services, { trigger }: Webhook, { receipts }: NewDelivery) {
  if (receipts.length === 0) return undefined
  const [row] = await db
    .select({ deliveryId: triggerReceipts.deliveryId })
    .from(triggerReceipts)
    .where(and(eq(triggerReceipts.triggerId, trigger.id), inArray(triggerReceipts.key, receipts)))
    .limit(1)
  return row?.deliveryId
}
