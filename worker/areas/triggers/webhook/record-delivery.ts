/** Stores accepted deliveries, and rejected requests for the monitor. */
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { Payload } from '#contract/triggers/index.ts'
import { triggerDeliveries, triggerReceipts } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { takeFrom } from '../../../http/rate-limit.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { Services } from '../../../services.ts'
import { deliveryRecords } from '../delivery-records.ts'
import type { DeliveryRow } from '../rows.ts'
import type { Webhook } from './find-webhook.ts'
import { type IncomingRequest, type SizeLimits, storedRequest } from './incoming-request.ts'

/** Longer than senders retry, and than any signed time is valid. */
const RECEIPT_DAYS = 7
/** Limits on stored rejections, so that anonymous callers cannot fill the database. */
const MAX_RECORDED_PER_MINUTE = 10
const MAX_RECORDED_PER_DAY = 1000
const SHORT_LIMITS: SizeLimits = { bytes: 2048, characters: 256, entries: 40 }
const FULL_LIMITS: SizeLimits = { bytes: 64 * 1024, characters: 4096, entries: 100 }

interface NewDelivery {
  id: string
  payload: Payload
  receipts: string[]
  /** Starts at once as this run; without it the delivery is queued. */
  executionId?: string
}

type Request = { hook: Webhook; incoming: IncomingRequest }

/** The payload is long, and known. */
const { payload: _, ...withoutPayload } = getTableColumns(triggerDeliveries)

/**
 * Stores the delivery, its receipts and more statements in one batch. The batch fails as a whole when a receipt exists,
 * by writing null to a non-null column. Dead and refused deliveries may be repeated. Throws `conflict` for a duplicate.
 */
export async function recordDelivery(
  services: Services,
  request: Request,
  { delivery, more = [] }: { delivery: NewDelivery; more?: Statement[] },
): Promise<DeliveryRow> {
  const { db } = services
  const { hook, incoming } = request
  const values = { ...toValues(request, delivery.id, FULL_LIMITS), ...started(delivery, incoming.at) }
  const { payload } = delivery
  const insert = scope(db, hook.trigger)
    .insert(triggerDeliveries, { ...values, payload, chatId: payload.chatId ?? null })
    .returning(withoutPayload)
  try {
    const taken = deliveryRecords(services, hook.trigger, payload)
    const [[row]] = await db.batch([insert, ...receiptStatements(services, request, delivery), ...taken, ...more])
    return { ...row, payload } as DeliveryRow
  } catch (error) {
    const earlier = await earlierDelivery(services, hook, delivery)
    // Its own receipt is there when it was stored, and only the answer was lost.
    if (!earlier || earlier === delivery.id) throw error
    throw new HeddleError('conflict', `This request was already received as delivery ${earlier}`, {
      deliveryId: earlier,
    })
  }
}

export interface RejectedRequest {
  state: 'refused' | 'skipped'
  reason: string
  /** Separate limits, so that anonymous callers cannot use up that of the verified sender. */
  from: 'anonymous' | 'sender'
}

/** Stores nothing when the limit is reached. */
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
  } catch (error) {
    if (error instanceof HeddleError) return
    throw error
  }
  const values = toValues(request, crypto.randomUUID(), SHORT_LIMITS)
  const finishedDate = incoming.at.toISOString()
  await scope(services.db, hook.trigger).insert(triggerDeliveries, { ...values, ...rejected, finishedDate })
}

function toValues({ hook, incoming }: Request, id: string, limits: SizeLimits) {
  const { trigger } = hook
  return {
    id,
    triggerId: trigger.id,
    flowId: trigger.flowId,
    source: 'webhook' as const,
    state: 'queued' as const,
    dueDate: incoming.at.toISOString(),
    request: storedRequest(incoming, trigger.settings, limits),
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
  const isRepeatable = sql`(${triggerReceipts.expiresDate} <= ${now} or exists (
    select 1 from ${triggerDeliveries} where ${scope(db, hook.trigger).inWorkspace(triggerDeliveries, didNotRun)}))`
  return [
    db
      .insert(triggerReceipts)
      .values(receipts.map((key) => ({ triggerId: hook.trigger.id, key, deliveryId: id, expiresDate })))
      .onConflictDoUpdate({
        target: [triggerReceipts.triggerId, triggerReceipts.key],
        set: { deliveryId: sql`case when ${isRepeatable} then excluded.delivery_id end`, expiresDate },
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
