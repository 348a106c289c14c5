/** Executions of one workspace: what runs did, put together from their rows in one query. */
import { and, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { ExecutionDetail, ExecutionSummary, ListExecutions } from '#contract/executions.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/like.ts'
import { chatflows, executionSteps, executions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'

const notFound = (id: string) => new HeddleError('not_found', `Execution ${id} not found`)

/** Newest first, without the steps. */
export async function listExecutions(db: Database, tenant: Tenant, query: ListExecutions) {
  const condition = scope(db, tenant).inWorkspace(executions, filters(query))
  const [rows, [total]] = await db.batch([
    summaries(db)
      .where(condition)
      .orderBy(desc(executions.createdDate), desc(executions.id))
      .limit(query.limit)
      .offset((query.page - 1) * query.limit),
    db
      .select({ count: sql<number>`count(*)` })
      .from(executions)
      .innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))
      .where(condition),
  ])
  return { data: rows.map(summaryOf), total: total?.count ?? 0 }
}

export async function readExecution(db: Database, tenant: Tenant, id: string): Promise<ExecutionDetail> {
  return detail(db, scope(db, tenant).inWorkspace(executions, eq(executions.id, id)), id)
}

/** An execution that its owner shares; any other looks like one that does not exist. */
export async function readSharedExecution(db: Database, id: string): Promise<Omit<ExecutionDetail, 'workspaceId'>> {
  const { workspaceId: _, ...shared } = await detail(db, and(eq(executions.id, id), eq(executions.isPublic, true)), id)
  return shared
}

export async function shareExecution(db: Database, tenant: Tenant, change: { id: string; isPublic: boolean }) {
  const [row] = await scope(db, tenant)
    .update(executions, eq(executions.id, change.id), { isPublic: change.isPublic })
    .returning({ id: executions.id })
  if (!row) throw notFound(change.id)
  return readExecution(db, tenant, change.id)
}

export async function deleteExecutions(db: Database, tenant: Tenant, ids: string[]) {
  const rows = scope(db, tenant)
  const own = db
    .select({ id: executions.id })
    .from(executions)
    .where(rows.inWorkspace(executions, inArray(executions.id, ids)))
  const [, deleted] = await db.batch([
    db.delete(executionSteps).where(inArray(executionSteps.executionId, own)),
    rows.delete(executions, inArray(executions.id, ids)).returning({ id: executions.id }),
  ])
  return { success: true, deletedCount: deleted.length }
}

function filters(query: ListExecutions): SQL | undefined {
  return and(
    query.id ? eq(executions.id, query.id) : undefined,
    query.agentflowId ? eq(executions.agentflowId, query.agentflowId) : undefined,
    query.agentflowName ? contains(chatflows.name, query.agentflowName) : undefined,
    query.sessionId ? eq(executions.sessionId, query.sessionId) : undefined,
    query.state ? eq(executions.state, query.state) : undefined,
    query.startDate ? gte(executions.createdDate, query.startDate) : undefined,
    query.endDate ? lte(executions.createdDate, query.endDate) : undefined,
  )
}

const columns = {
  id: executions.id,
  agentflowId: executions.agentflowId,
  agentflow: { id: chatflows.id, name: chatflows.name, type: chatflows.type },
  sessionId: executions.sessionId,
  state: executions.state,
  error: executions.error,
  action: executions.action,
  isPublic: executions.isPublic,
  totalTokens: executions.totalTokens,
  totalCost: executions.totalCost,
  createdDate: executions.createdDate,
  updatedDate: executions.updatedDate,
  stoppedDate: executions.stoppedDate,
  workspaceId: executions.workspaceId,
}

function summaries(db: Database) {
  return db.select(columns).from(executions).innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))
}

/** The steps are stored as JSON: they are joined as text, without being parsed. */
const executionData = sql<string>`(
  select '[' || coalesce(group_concat(step.item, ','), '') || ']'
  from (select item from ${executionSteps} where execution_id = ${executions.id} order by seq) step
)`

async function detail(db: Database, condition: SQL | undefined, id: string): Promise<ExecutionDetail> {
  const [row] = await db
    .select({ ...columns, executionData })
    .from(executions)
    .innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))
    .where(condition)
  if (!row) throw notFound(id)
  return { ...summaryOf(row), executionData: row.executionData }
}

type Row = Awaited<ReturnType<typeof summaries>>[number]

function summaryOf(row: Row): ExecutionSummary {
  const running = row.state === 'INPROGRESS'
  return { ...row, duration: running ? null : Date.parse(row.updatedDate) - Date.parse(row.createdDate) }
}
