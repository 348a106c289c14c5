/** Lists of flows of one workspace. */
import { and, desc, eq, exists, inArray, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { CallableFlow } from '#contract/access/callers.ts'
import type { Chatflow, ListFlows } from '#contract/chatflows/chatflows.ts'
import type { FlowList } from '#contract/chatflows/flow-summary.ts'
import { FLOW_TYPES, type FlowType } from '#contract/flow/flow-types.ts'
import { factsOf } from '#contract/flow/kinds/facts.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { withinAnswer } from '#db/long-answer.ts'
import { assistants, chatflows } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { answeredColumns, isDrawnByPeople, type Store } from './store.ts'
import { hasUnpublishedChanges } from './version-statements.ts'

type ListQuery = ListFlows & { allowed: FlowType[] }

/** Sorted by latest update. With page and limit, returns one page and the total. */
export async function listFlows({ db }: Store, tenant: Tenant, query: ListQuery) {
  const condition = listed(db, tenant, query)
  const { page, limit } = query
  if (!page || !limit) return (await readWholeFlows(db, tenant, { condition })).data
  return readWholeFlows(db, tenant, { condition, limit, offset: (page - 1) * limit })
}

const listed = (db: Database, tenant: Tenant, { allowed, type, runnable, search }: ListQuery) =>
  and(
    inArray(
      chatflows.type,
      allowed.filter((each) => type === undefined || type === each),
    ),
    runnable && (runnable === 'true' ? canRun(db, tenant) : not(canRun(db, tenant))),
    search ? contains(chatflows.name, search) : undefined,
  )

const newestFirst = [desc(chatflows.updatedDate), desc(chatflows.id)]

interface FlowPage {
  condition: SQL | undefined
  limit?: number
  offset?: number
}

const readWholeFlows = (db: Database, tenant: Tenant, page: FlowPage): Promise<Page<Chatflow>> =>
  readPage(db, tenant, page, {
    ...answeredColumns,
    ...withinAnswer({ flowData: chatflows.flowData }, { order: sql.join(newestFirst, sql`, `) }),
    hasUnpublishedChanges: hasUnpublishedChanges(db),
  }) as Promise<Page<Chatflow>>

/** Returns one page of what lists show of flows, and the total. It reads no documents. Sorted by latest update. */
export function listFlowItems(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  { page, limit, ...query }: ListQuery & { page: number; limit: number },
): Promise<FlowList> {
  const { id, name, type, category, createdDate, updatedDate, summary } = chatflows
  return readPage(
    db,
    tenant,
    { condition: listed(db, tenant, query), limit, offset: (page - 1) * limit },
    {
      ...{ id, name, type, category, createdDate, updatedDate },
      nodes: sql<number | null>`${summary} ->> '$.nodes'`,
      colors: sql<string[]>`coalesce(${summary} -> '$.colors', '[]')`.mapWith(summary),
    },
  ) as Promise<FlowList>
}

interface Page<Row> {
  data: Row[]
  total: number
}

/** One statement, which goes through the flows once. Each row has the columns. */
async function readPage(
  db: Database,
  tenant: Tenant,
  { condition, limit = -1, offset = 0 }: FlowPage,
  columns: Record<string, SQLiteColumn | SQL | SQL.Aliased>,
): Promise<Page<unknown>> {
  const rows = scope(db, tenant)
  const found = sql`(
    with match("row") as materialized (
      select ${chatflows}.rowid from ${chatflows} where ${rows.inWorkspace(chatflows, condition)}
      order by ${sql.join(newestFirst, sql`, `)})
    select "row", (select count(*) from match) as total from match limit ${limit} offset ${offset}) as found`
  const data = await db
    .select({ ...columns, total: sql<number>`found.total` })
    .from(chatflows)
    .innerJoin(found, sql`${chatflows}.rowid = found."row"`)
    .where(rows.foundInWorkspace(chatflows, undefined))
    .orderBy(...newestFirst)
  // A page behind the last one has no row that could say the total.
  if (data.length === 0 && offset > 0)
    return { data: [], total: (await readPage(db, tenant, { condition, limit: 1 }, { id: chatflows.id })).total }
  return { data: data.map(({ total: _, ...flow }) => flow), total: data[0]?.total ?? 0 }
}

/** True for flows of types that run. An assistant's flow that was imported without its assistant does not. */
function canRun(db: Database, tenant: Tenant): SQL {
  const itsAssistant = db
    .select({ one: sql`1` })
    .from(assistants)
    .where(scope(db, tenant).foundInWorkspace(assistants, eq(assistants.id, chatflows.id)))
  const types = FLOW_TYPES.filter((type) => factsOf(type).isRunnable)
  return and(inArray(chatflows.type, types), or(isDrawnByPeople, exists(itsAssistant))) as SQL
}

/** Flows bound to the API key and, unless `keyonly`, flows bound to no key. */
export async function listFlowsOfKey(
  { db }: Pick<Services, 'db'>,
  { keyId, workspaceId }: { keyId: string; workspaceId: string },
  { keyonly, allowed }: { keyonly: boolean; allowed: FlowType[] },
): Promise<Chatflow[]> {
  const isBound = eq(chatflows.apikeyid, keyId)
  const isCallable = keyonly ? isBound : or(isBound, isNull(chatflows.apikeyid), eq(chatflows.apikeyid, ''))
  const condition = and(isCallable, ne(chatflows.callers, 'members'), inArray(chatflows.type, allowed))
  return (await readWholeFlows(db, { workspaceId }, { condition })).data
}

const MAX_NAMES = 1000

/** Options of a picker of flows that run, sorted by name. */
export async function listFlowNames({ db }: Pick<Services, 'db'>, tenant: Tenant, allowed: FlowType[]) {
  const { id, name, type } = chatflows
  return db
    .select({ id, name, type })
    .from(chatflows)
    .where(scope(db, tenant).inWorkspace(chatflows, and(inArray(type, allowed), canRun(db, tenant))))
    .orderBy(name, id)
    .limit(MAX_NAMES)
}

/** Columns with a flow's name and access settings. */
export type ListedFlow = CallableFlow & Pick<Chatflow, 'name' | 'createdDate'>

/** Flows of a workspace that run, newest first; whoever calls must ask who may call each. */
export async function listCallableFlows(
  { db }: Pick<Services, 'db'>,
  { workspaceId }: Tenant,
  condition?: SQL,
): Promise<ListedFlow[]> {
  const { id, name, type, callers, apikeyid, chatbotConfig, createdDate } = chatflows
  const tenant = { workspaceId }
  return db
    .select({
      id,
      name,
      type,
      workspaceId: chatflows.workspaceId,
      callers,
      apikeyid,
      chatbotConfig,
      createdDate,
    })
    .from(chatflows)
    .where(scope(db, tenant).inWorkspace(chatflows, and(ne(callers, 'members'), canRun(db, tenant), condition)))
    .orderBy(...newestFirst)
    .limit(MAX_NAMES)
}
