/** Triggers with statistics of their recent deliveries. */
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { ListTriggers, Trigger, TriggerList, TriggerSummary } from '#contract/triggers/index.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { chatflows, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { assertAllowed } from '../chatflows/index.ts'
import type { TriggerRow } from './rows.ts'

/** Days that the statistics cover. */
const DAYS = 7

type Store = Pick<Services, 'db' | 'clock'>

/** Sorted by latest update. */
export async function listTriggers(
  store: Store,
  tenant: Tenant,
  { page, limit, allowed, ...filters }: ListTriggers & { allowed: FlowType[] },
): Promise<TriggerList> {
  const condition = and(inArray(chatflows.type, allowed), filterOf(filters))
  return readPage(store, tenant, { condition, limit, offset: (page - 1) * limit })
}

/** Throws `not_found`, or `forbidden` when the caller has no permission for the flow's type. */
export async function readTrigger(
  store: Store,
  tenant: Tenant,
  { id, allowed }: { id: string; allowed: FlowType[] },
): Promise<TriggerSummary> {
  const { data } = await readPage(store, tenant, { condition: eq(triggers.id, id), limit: 1, offset: 0 })
  const [trigger] = data
  if (!trigger) throw triggerNotFound(id)
  assertAllowed(trigger.flow.type as FlowType, allowed)
  return trigger
}

export const triggerNotFound = (id: string) => new HeddleError('not_found', `Trigger ${id} not found`)

function filterOf({ flowId, kind, state, search }: Omit<ListTriggers, 'page' | 'limit'>): SQL | undefined {
  return and(
    flowId ? eq(triggers.flowId, flowId) : undefined,
    kind ? eq(triggers.kind, kind) : undefined,
    state ? eq(triggers.state, state) : undefined,
    search ? or(contains(triggers.name, search), contains(chatflows.name, search)) : undefined,
  )
}

interface Page {
  condition: SQL | undefined
  limit: number
  offset: number
}

/** One round trip. */
async function readPage({ db, clock }: Store, tenant: Tenant, page: Page): Promise<TriggerList> {
  const since = new Date(clock.now().getTime() - DAYS * 86_400_000).toISOString()
  const shown = db
    .select({ id: triggers.id })
    .from(triggers)
    .innerJoin(chatflows, eq(chatflows.id, triggers.flowId))
    .where(scope(db, tenant).inWorkspace(triggers, page.condition))
    .orderBy(desc(triggers.updatedDate), desc(triggers.id))
    .limit(page.limit)
    .offset(page.offset)
  const ofPage = scope(db, tenant).inWorkspace(
    triggerDeliveries,
    and(sql`${triggerDeliveries.triggerId} in (${shown})`, sql`${triggerDeliveries.dueDate} >= ${since}`),
  )
  const [rows, [total], figures, times] = await db.batch([
    rowsQuery(db, tenant, page.condition)
      .orderBy(desc(triggers.updatedDate), desc(triggers.id))
      .limit(page.limit)
      .offset(page.offset),
    db
      .select({ count: sql<number>`count(*)` })
      .from(triggers)
      .innerJoin(chatflows, eq(chatflows.id, triggers.flowId))
      .where(scope(db, tenant).inWorkspace(triggers, page.condition)),
    figuresQuery(db, ofPage),
    timesQuery(db, ofPage),
  ])
  const figuresOf = new Map(figures.map(({ triggerId, ...each }) => [triggerId, each]))
  const timeOf = new Map(times.map(({ triggerId, duration }) => [triggerId, duration]))
  return {
    data: rows.map(({ trigger, flow, lastDelivery }) => ({
      ...triggerOf(trigger, flow),
      lastDelivery: lastDelivery === null ? null : JSON.parse(lastDelivery),
      ...(figuresOf.get(trigger.id) ?? NONE),
      p95: timeOf.get(trigger.id) ?? null,
    })),
    total: total?.count ?? 0,
  }
}

const NONE = { succeeded: 0, dead: 0, skipped: 0, refused: 0, cost: null }

const lastDelivery = sql<string | null>`(
  select json_object('id', last.id, 'state', last.state, 'date', last.due_date) from trigger_deliveries last
  where last.trigger_id = ${triggers.id} and last.workspace_id = ${triggers.workspaceId} order by last.due_date desc, last.id desc limit 1
)`

function rowsQuery(db: Database, tenant: Tenant, condition: SQL | undefined) {
  return db
    .select({
      trigger: triggers,
      flow: { id: chatflows.id, name: chatflows.name, type: chatflows.type },
      lastDelivery,
    })
    .from(triggers)
    .innerJoin(chatflows, eq(chatflows.id, triggers.flowId))
    .where(scope(db, tenant).inWorkspace(triggers, condition))
}

const countOf = (state: string) => sql<number>`sum(${triggerDeliveries.state} = ${state})`

export function figuresQuery(db: Database, condition: SQL | undefined) {
  return db
    .select({
      triggerId: triggerDeliveries.triggerId,
      succeeded: countOf('succeeded'),
      dead: countOf('dead'),
      skipped: countOf('skipped'),
      refused: countOf('refused'),
      cost: sql<number | null>`sum(${triggerDeliveries.totalCost})`,
    })
    .from(triggerDeliveries)
    .where(condition)
    .groupBy(triggerDeliveries.triggerId)
}

/**
 * The p95 duration of ended deliveries. The `+` keeps SQLite from using the index of states, which spans all workspaces.
 */
export function timesQuery(db: Database, condition: SQL | undefined) {
  const ended = and(condition, sql`+${triggerDeliveries.state} in ('succeeded', 'dead')`)
  const ranked = db
    .select({
      triggerId: triggerDeliveries.triggerId,
      duration: triggerDeliveries.duration,
      rank: sql<number>`cume_dist() over (partition by ${triggerDeliveries.triggerId} order by ${triggerDeliveries.duration})`.as(
        'rank',
      ),
    })
    .from(triggerDeliveries)
    .where(and(ended, sql`${triggerDeliveries.duration} is not null`))
    .as('ranked')
  return db
    .select({ triggerId: ranked.triggerId, duration: sql<number>`min(${ranked.duration})` })
    .from(ranked)
    .where(sql`${ranked.rank} >= 0.95`)
    .groupBy(ranked.triggerId)
}

/** Converts a row to the shape of the API, without its secrets. */
export function triggerOf(row: TriggerRow, flow: Trigger['flow']): Trigger {
  const { workspaceId: _, timing: __, encryptedSecrets, ...fields } = row
  const isWebhook = row.kind === 'webhook'
  return { ...fields, flow, path: isWebhook ? `/api/v1/webhook/${row.id}` : null, hasSecret: encryptedSecrets !== null }
}
