/** Executions of one workspace, each built from its rows in one query. */
import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import {
  type DeletedExecutions,
  type DeleteExecutions,
  EXCERPT_LENGTH,
  type ExecutionDetail,
  type ExecutionSummary,
  type ListExecutions,
  type SharedExecution,
  type UpdateExecution,
} from '#contract/executions.ts'
import { outlineApproval } from '#contract/runs/approvals.ts'
import type { HumanInputAction, TraceItem } from '#contract/runs/events.ts'
import { outlineAction, outlineItem, showsFullTrace } from '#contract/runs/outline.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { chatflows, executionSteps, executions, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type Tenant } from '#db/scope.ts'
import { noSuchExecution } from '../../runs/errors.ts'
import { approvalsJson, parseApprovals } from '../../runs/records/approvals.ts'

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
  const { apiConfig: _, ...execution } = await detail(db, ofWorkspace(db, tenant, id), id)
  return execution
}

/** Reads an execution as anonymous callers of its flow may see it. */
export async function readExecutionAsCaller(db: Database, tenant: Tenant, id: string): Promise<ExecutionOutline> {
  return outlined(await detail(db, ofWorkspace(db, tenant, id), id))
}

/** Reads a shared execution. Throws `not_found` for any other, as if it did not exist. */
export async function readSharedExecution(db: Database, id: string): Promise<SharedExecution> {
  const shared = and(eq(executions.id, id), eq(executions.isPublic, true))
  const all = acrossWorkspaces(db, 'anybody with the link may read a shared run')
  const { agentflow, ...execution } = outlined(await detail(all, shared, id))
  const { id: _, ...named } = agentflow
  const { workspaceId, chatId, sessionId, agentflowId, replayOf, replayFrom, parentExecutionId, ...rest } = execution
  const { isStarred, chatType, trigger, question, answer, ...seen } = rest
  return { ...seen, agentflow: named }
}

/** Tokens and cost are present only when the flow's owner shows the whole trace. */
export type ExecutionOutline = Omit<ExecutionDetail, keyof Cost> & Partial<Cost>
type Cost = Pick<ExecutionDetail, 'totalTokens' | 'totalCost'>

function outlined({ apiConfig, ...execution }: Detail): ExecutionOutline {
  if (showsFullTrace(apiConfig)) return execution
  const { totalTokens, totalCost, ...seen } = execution
  const trace = JSON.parse(seen.executionData) as TraceItem[]
  const action = seen.action && outlineAction(JSON.parse(seen.action) as HumanInputAction)
  return {
    ...seen,
    executionData: JSON.stringify(trace.map(outlineItem)),
    approvals: seen.approvals.map(outlineApproval),
    action: action && JSON.stringify(action),
  }
}

/** Throws `not_found` when there is no such execution. */
export async function updateExecution(
  db: Database,
  tenant: Tenant,
  { id, change }: { id: string; change: UpdateExecution },
) {
  const [row] = await scope(db, tenant)
    .update(executions, eq(executions.id, id), change)
    .returning({ id: executions.id })
  if (!row) throw noSuchExecution(id)
  return readExecution(db, tenant, id)
}

/** Keeps starred executions unless `includeStarred` is set. */
export async function deleteExecutions(
  db: Database,
  tenant: Tenant,
  { executionIds, includeStarred }: DeleteExecutions,
): Promise<DeletedExecutions> {
  const rows = scope(db, tenant)
  const asked = inArray(executions.id, executionIds)
  const condition = and(asked, includeStarred ? undefined : eq(executions.isStarred, false))
  const own = db.select({ id: executions.id }).from(executions).where(rows.inWorkspace(executions, condition))
  const waiting = and(eq(triggerDeliveries.state, 'running'), inArray(triggerDeliveries.executionId, own))
  const [, , deleted, [kept]] = await db.batch([
    // Otherwise the delivery would look as if its run had never begun, and would start it again.
    rows.update(triggerDeliveries, waiting, {
      state: 'dead',
      reason: 'Its run was deleted',
      finishedDate: sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')` as never,
    }),
    db.delete(executionSteps).where(inArray(executionSteps.executionId, own)),
    rows.delete(executions, condition).returning({ id: executions.id }),
    rows.count(executions, asked),
  ])
  return { success: true, deletedCount: deleted.length, keptCount: kept?.count ?? 0 }
}

function filters(query: ListExecutions): SQL | undefined {
  return and(
    query.id ? eq(executions.id, query.id) : undefined,
    query.agentflowId ? eq(executions.agentflowId, query.agentflowId) : undefined,
    query.agentflowName ? contains(chatflows.name, query.agentflowName) : undefined,
    query.sessionId ? eq(executions.sessionId, query.sessionId) : undefined,
    query.state ? eq(executions.state, query.state) : undefined,
    query.isStarred === undefined ? undefined : eq(executions.isStarred, query.isStarred),
    query.parentExecutionId ? eq(executions.parentExecutionId, query.parentExecutionId) : undefined,
    query.replayOf ? eq(executions.replayOf, query.replayOf) : undefined,
    query.startDate ? gte(executions.createdDate, query.startDate) : undefined,
    query.endDate ? lte(executions.createdDate, query.endDate) : undefined,
  )
}

const columns = {
  id: executions.id,
  agentflowId: executions.agentflowId,
  agentflow: { id: chatflows.id, name: chatflows.name, type: chatflows.type },
  flowVersion: executions.flowVersion,
  sessionId: executions.sessionId,
  chatId: executions.chatId,
  state: executions.state,
  error: executions.error,
  endedBy: executions.endedBy,
  action: executions.action,
  isPublic: executions.isPublic,
  isStarred: executions.isStarred,
  replayOf: executions.replayOf,
  replayFrom: executions.replayFrom,
  parentExecutionId: executions.parentExecutionId,
  totalTokens: executions.totalTokens,
  totalCost: executions.totalCost,
  createdDate: executions.createdDate,
  workSeconds: executions.workSeconds,
  updatedDate: executions.updatedDate,
  stoppedDate: executions.stoppedDate,
  workspaceId: executions.workspaceId,
}

/** The question of a run, else its form or the body of its request. */
const question = sql<string | null>`cast(coalesce(
  nullif(${executions.input} ->> '$.question', ''), ${executions.input} ->> '$.form', ${executions.input} ->> '$.webhook.body'
) as text)`

/** What the last step said. Not the answer in the chat, which may hold values of variables that a trace hides. */
const answer = sql<string | null>`cast((
  select ${executionSteps.item} ->> '$.data.output.content' as said from ${executionSteps}
  where ${executionSteps.executionId} = ${executions.id} and said is not null order by ${executionSteps.seq} desc limit 1
) as text)`

/** JSON of the trigger that started the run. */
const trigger = sql<string | null>`(
  select json_object('id', ${triggers.id}, 'name', ${triggers.name}) from ${triggerDeliveries}
  inner join ${triggers} on ${triggers.id} = ${triggerDeliveries.triggerId}
  where ${triggerDeliveries.executionId} = ${executions.id} and ${triggerDeliveries.workspaceId} = ${executions.workspaceId}
  limit 1
)`

const chatType = sql<ExecutionSummary['chatType']>`coalesce(${executions.input} ->> '$.chatType', 'EXTERNAL')`

/** The beginning of a run's question, for lists. */
export const questionExcerpt = sql<string | null>`substr(${question}, 1, ${EXCERPT_LENGTH})`

const excerpt = (text: SQL<string | null>) => sql<string | null>`substr(${text}, 1, ${EXCERPT_LENGTH})`

function summaries(db: Database) {
  const excerpts = { question: questionExcerpt, answer: excerpt(answer) }
  return db
    .select({ ...columns, ...excerpts, chatType, trigger })
    .from(executions)
    .innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))
}

/** The last row of each path, as one JSON text: items are stored as JSON and joined without parsing. */
const executionData = sql<string>`(
  select '[' || coalesce(group_concat(step.item, ','), '') || ']'
  from (
    select max(seq) as last, json_insert(item, '$.path', path, '$.startedAt', started_at, '$.finishedAt', finished_at) as item
    from ${executionSteps} where execution_id = ${executions.id} group by path order by last
  ) step
)`

const ofWorkspace = (db: Database, tenant: Tenant, id: string) =>
  scope(db, tenant).inWorkspace(executions, eq(executions.id, id))

type Detail = ExecutionDetail & { apiConfig: string | null }

async function detail(db: Database, condition: SQL | undefined, id: string): Promise<Detail> {
  const more = { question, answer, chatType, trigger, executionData, approvals: approvalsJson }
  const [row] = await db
    .select({ ...columns, ...more, apiConfig: chatflows.apiConfig })
    .from(executions)
    .innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))
    .where(condition)
  if (!row) throw noSuchExecution(id)
  const { executionData: data, approvals, apiConfig, ...summary } = row
  return { ...summaryOf(summary), executionData: data, approvals: parseApprovals(approvals), apiConfig }
}

/** Selects executions with their steps, oldest first, for an export. */
export function exportedExecutions(db: Database, tenant: Tenant, limit: number) {
  const { workspaceId: _, ...exported } = columns
  return db
    .select({ ...exported, executionData })
    .from(executions)
    .innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))
    .where(scope(db, tenant).inWorkspace(executions))
    .orderBy(asc(executions.createdDate), sql`${executions}.rowid`)
    .limit(limit)
}

type Row = Awaited<ReturnType<typeof summaries>>[number]

function summaryOf({ workSeconds, trigger, ...row }: Row): ExecutionSummary {
  const duration = row.state === 'INPROGRESS' ? null : Math.round(workSeconds * 1000)
  return { ...row, duration, trigger: trigger === null ? null : JSON.parse(trigger) }
}
