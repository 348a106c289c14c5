/** Flows of one workspace. A save is one conditional UPDATE; what stopped it is looked up only when it changed nothing. */
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { CreateFlow, FlowType, ListFlows, UpdateFlow } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import { contains } from '#db/like.ts'
import { apikeys, chatflows, chatMessages, executionSteps, executions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { assertAllowed } from './access.ts'

export type FlowRow = typeof chatflows.$inferSelect

type Store = Pick<Services, 'db' | 'clock'>

const notFound = (id: string) => new HeddleError('not_found', `Flow ${id} not found`)

/** Newest update first; with page and limit also the number of all that match. */
export async function listFlows({ db }: Store, tenant: Tenant, query: ListFlows & { allowed: FlowType[] }) {
  const rows = scope(db, tenant)
  const types = query.type ? query.allowed.filter((type) => type === query.type) : query.allowed
  const condition = and(
    inArray(chatflows.type, types),
    query.search ? contains(chatflows.name, query.search) : undefined,
  )
  const list = rows.select(chatflows, condition).orderBy(desc(chatflows.updatedDate), desc(chatflows.id))
  if (!query.page || !query.limit) return list
  const [data, totals] = await db.batch([
    list.limit(query.limit).offset((query.page - 1) * query.limit),
    rows.count(chatflows, condition),
  ])
  return { data, total: totals[0]?.count ?? 0 }
}

export async function readFlow({ db }: Store, tenant: Tenant, id: string): Promise<FlowRow> {
  const [row] = await scope(db, tenant).select(chatflows, eq(chatflows.id, id))
  if (!row) throw notFound(id)
  return row
}

export type FlowHead = Pick<FlowRow, 'id' | 'type' | 'version' | 'updatedDate'>

/** A flow without its data. */
export async function readFlowHead({ db }: Pick<Services, 'db'>, tenant: Tenant, id: string): Promise<FlowHead> {
  const { type, version, updatedDate } = chatflows
  const [row] = await db
    .select({ id: chatflows.id, type, version, updatedDate })
    .from(chatflows)
    .where(scope(db, tenant).inWorkspace(chatflows, eq(chatflows.id, id)))
  if (!row) throw notFound(id)
  return row
}

export async function createFlow(store: Store, tenant: Tenant, flow: CreateFlow): Promise<FlowRow> {
  await assertOwnKey(store, tenant, flow.apikeyid)
  const now = store.clock.now().toISOString()
  const values = { ...flow, id: crypto.randomUUID(), createdDate: now, updatedDate: now }
  const [row] = await scope(store.db, tenant).insert(chatflows, values).returning()
  return row as FlowRow
}

/** Throws `conflict` with `currentVersion` and `updatedDate` when the flow was saved since `version`. */
export async function updateFlow(
  store: Store,
  tenant: Tenant,
  change: { id: string; body: UpdateFlow; allowed: FlowType[] },
): Promise<FlowRow> {
  const { version, type, ...values } = change.body
  await assertOwnKey(store, tenant, values.apikeyid)
  const condition = and(
    eq(chatflows.id, change.id),
    inArray(chatflows.type, change.allowed),
    type ? eq(chatflows.type, type) : undefined,
    version === undefined ? undefined : eq(chatflows.version, version),
  )
  const [row] = await scope(store.db, tenant)
    .update(chatflows, condition, {
      ...values,
      version: sql`${chatflows.version} + 1` as unknown as number,
      updatedDate: store.clock.now().toISOString(),
    })
    .returning()
  return row ?? explainRefusal(await readFlowHead(store, tenant, change.id), change)
}

function explainRefusal(current: FlowHead, { body, allowed }: { body: UpdateFlow; allowed: FlowType[] }): never {
  assertAllowed(current.type, allowed)
  if (body.type && body.type !== current.type) {
    throw new HeddleError('bad_request', `type: This flow is of type ${current.type}; a flow's type cannot change`, {
      field: 'type',
    })
  }
  throw new HeddleError('conflict', 'This flow was saved by somebody else in the meantime', {
    currentVersion: current.version,
    updatedDate: current.updatedDate,
  })
}

/** Deletes the flow with its conversations and executions. */
export async function deleteFlow(store: Store, tenant: Tenant, target: { id: string; allowed: FlowType[] }) {
  const { db } = store
  const rows = scope(db, tenant)
  assertAllowed((await readFlowHead(store, tenant, target.id)).type, target.allowed)
  const ofFlow = db
    .select({ id: executions.id })
    .from(executions)
    .where(rows.inWorkspace(executions, eq(executions.agentflowId, target.id)))
  const [, , , deleted] = await db.batch([
    db.delete(executionSteps).where(inArray(executionSteps.executionId, ofFlow)),
    rows.delete(executions, eq(executions.agentflowId, target.id)),
    rows.delete(chatMessages, eq(chatMessages.chatflowid, target.id)),
    rows.delete(chatflows, eq(chatflows.id, target.id)).returning({ id: chatflows.id }),
  ])
  return { raw: [], affected: deleted.length }
}

/** A flow can be bound only to a key of its own workspace. */
async function assertOwnKey({ db }: Store, tenant: Tenant, apikeyid: string | null | undefined): Promise<void> {
  if (!apikeyid) return
  const [key] = await scope(db, tenant).select(apikeys, eq(apikeys.id, apikeyid))
  if (!key) throw new HeddleError('bad_request', 'apikeyid: There is no such API key', { field: 'apikeyid' })
}
