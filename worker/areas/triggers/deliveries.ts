/** Lists and reads deliveries, and starts manual runs and replays. */
import { and, desc, eq, getTableColumns, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { errorReport, HeddleError } from '#contract/errors.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { Delivery, DeliveryDetail, DeliveryList, ListDeliveries, Payload } from '#contract/triggers/index.ts'
import type { Database } from '#db/client.ts'
import { chatflows, executions, triggerDeliveries } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { assertAllowed } from '../chatflows/index.ts'
import { dispatch } from './dispatch.ts'
import type { DeliveryRow } from './rows.ts'
import { readRow, type TriggerTarget } from './store.ts'

const {
  payload,
  request,
  response,
  callback,
  chatId: _chat,
  handedDate: _handed,
  timesHanded: _times,
  workspaceId: _workspace,
  ...shown
} = getTableColumns(triggerDeliveries)

export const listed = { ...shown, executionState: executions.state }

/** Newest first. */
export async function listDeliveries(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  { limit, cursor, allowed, ...filters }: ListDeliveries & { allowed: FlowType[] },
): Promise<DeliveryList> {
  const condition = and(
    inArray(chatflows.type, allowed),
    buildFilter(filters),
    cursor ? afterCursor(cursor) : undefined,
  )
  const rows = await listQuery(db, tenant, condition)
    .orderBy(desc(triggerDeliveries.dueDate), desc(triggerDeliveries.id))
    .limit(limit + 1)
  return pageOf(rows, limit)
}

/** Cuts a page from rows that were fetched with one extra row. */
export function pageOf<Row extends { dueDate: string; id: string }>(rows: Row[], limit: number) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, cursor: rows.length > limit && last ? `${last.dueDate} ${last.id}` : null }
}

function listQuery(db: Database, tenant: Tenant, condition: SQL | undefined) {
  return db
    .select(listed)
    .from(triggerDeliveries)
    .innerJoin(chatflows, eq(chatflows.id, triggerDeliveries.flowId))
    .leftJoin(executions, eq(executions.id, triggerDeliveries.executionId))
    .where(scope(db, tenant).inWorkspace(triggerDeliveries, condition))
}

function buildFilter(filters: Omit<ListDeliveries, 'limit' | 'cursor'>): SQL | undefined {
  const { triggerId, state, source, startDate, endDate } = filters
  return and(
    triggerId ? eq(triggerDeliveries.triggerId, triggerId) : undefined,
    state ? eq(triggerDeliveries.state, state) : undefined,
    source ? eq(triggerDeliveries.source, source) : undefined,
    startDate ? gte(triggerDeliveries.dueDate, new Date(startDate).toISOString()) : undefined,
    endDate ? lte(triggerDeliveries.dueDate, new Date(endDate).toISOString()) : undefined,
  )
}

export function afterCursor(cursor: string): SQL {
  const [date = '', id = ''] = cursor.split(' ')
  return sql`(${triggerDeliveries.dueDate}, ${triggerDeliveries.id}) < (${date}, ${id})`
}

/** Throws `not_found`, or `forbidden` when the caller has no permission for the flow's type. */
export async function readDelivery(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  { id, allowed }: TriggerTarget,
): Promise<DeliveryDetail> {
  const [row] = await detailQuery(db, tenant, id)
  if (!row) throw new HeddleError('not_found', `Delivery ${id} not found`)
  const { flowType, ...delivery } = row
  assertAllowed(flowType, allowed)
  return delivery
}

function detailQuery(db: Database, tenant: Tenant, id: string) {
  return db
    .select({ ...listed, payload, request, response, callback, flowType: chatflows.type })
    .from(triggerDeliveries)
    .innerJoin(chatflows, eq(chatflows.id, triggerDeliveries.flowId))
    .leftJoin(executions, eq(executions.id, triggerDeliveries.executionId))
    .where(scope(db, tenant).inWorkspace(triggerDeliveries, eq(triggerDeliveries.id, id)))
}

/** Runs a trigger manually in any state. `payload` overrides its input. */
export async function runTrigger(
  services: Services,
  tenant: Tenant,
  { payload: given, ...target }: TriggerTarget & { payload?: Payload },
): Promise<Delivery> {
  const { trigger } = await readRow(services, tenant, target)
  const empty = trigger.kind === 'webhook' ? { webhook: { body: {}, headers: {}, query: {} } } : {}
  const { id: triggerId, flowId } = trigger
  return start(services, tenant, { triggerId, flowId, source: 'manual', payload: { ...empty, ...given } })
}

/** Repeats a delivery, with `payload` overriding the original. */
export async function replayDelivery(
  services: Services,
  tenant: Tenant,
  { payload: edited, ...target }: TriggerTarget & { payload?: Payload },
): Promise<Delivery> {
  const original = await readDelivery(services, tenant, target)
  if (original.source === 'webhook' && original.payload === null) {
    const message = `This request was ${original.state}, so its content was not stored and it cannot be replayed`
    throw new HeddleError('conflict', message)
  }
  const { triggerId, flowId, id: replayOf } = original
  const repeated = { ...original.payload, ...edited, chatId: edited?.chatId }
  return start(services, tenant, { triggerId, flowId, source: 'replay', payload: repeated, replayOf })
}

type NewDelivery = Pick<DeliveryRow, 'triggerId' | 'flowId' | 'source' | 'payload'> & { replayOf?: string }

async function start(services: Services, tenant: Tenant, delivery: NewDelivery): Promise<Delivery> {
  const now = services.clock.now()
  const id = crypto.randomUUID()
  const dueDate = now.toISOString()
  await scope(services.db, tenant).insert(triggerDeliveries, {
    ...{ ...delivery, id, state: 'queued', dueDate },
    chatId: delivery.payload?.chatId ?? null,
  })
  // The minute job dispatches it when this fails.
  await dispatch(services, { condition: eq(triggerDeliveries.id, id), now }).catch((error) => {
    console.error(`delivery ${id} dispatch failed:`, errorReport(error))
  })
  const [row] = await listQuery(services.db, tenant, eq(triggerDeliveries.id, id))
  if (!row) throw new HeddleError('conflict', 'The trigger was deleted in the meantime')
  return row
}
