/** Executions of one workspace, each built from its rows in one query. */
import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { readApiConfig } from '#contract/chatflows/flow-settings.ts'
import { outlineApproval } from '#contract/runs/approvals.ts'
import type { HumanInputAction, TraceItem } from '#contract/runs/events.ts'
import type {
  DeletedExecutions,
  DeleteExecutions,
  ExecutionDetail,
  SharedExecution,
  UpdateExecution,
} from '#contract/runs/executions.ts'
import { outlineAction, outlineItem, showsFullTrace } from '#contract/runs/outline.ts'
import { withSafeSources } from '#contract/runs/sources.ts'
import type { Database } from '#db/client.ts'
import { withinRow } from '#db/long-answer.ts'
import { chatflows, executionSteps, executions, runTexts, triggerDeliveries } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, scope, type Tenant } from '#db/scope.ts'
import { executionNotFound } from '../../runs/errors.ts'
import { approvalsJson, parseApprovals } from '../../runs/records/approvals.ts'
import { storedLogs } from '../../runs/records/stored-log.ts'
import { tracesOf } from './execution-data.ts'
import { answer, chatType, columns, longSummary, question, summaryOf, trigger } from './summary.ts'

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
  const shared = and(eq(executions.id, id), eq(executions.isPublic, true), isInUse(executions.workspaceId))
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
  const trace = JSON.parse(execution.executionData) as TraceItem[]
  if (showsFullTrace(readApiConfig(apiConfig)))
    return { ...execution, executionData: JSON.stringify(trace.map(withSafeSources)) }
  const { totalTokens, totalCost, ...seen } = execution
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
  if (!row) throw executionNotFound(id)
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
  const own = db.select({ id: executions.id }).from(executions).where(rows.foundInWorkspace(executions, condition))
  const waiting = and(eq(triggerDeliveries.state, 'running'), inArray(triggerDeliveries.executionId, own))
  const [, , , deleted, [kept]] = await db.batch([
    // Otherwise the delivery would look as if its run had never begun, and would start it again.
    rows.update(triggerDeliveries, waiting, {
      state: 'dead',
      reason: 'Its run was deleted',
      finishedDate: sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')` as never,
    }),
    db.delete(executionSteps).where(inArray(executionSteps.executionId, own)),
    db.delete(runTexts).where(inArray(runTexts.executionId, own)),
    rows.delete(executions, condition).returning({ id: executions.id }),
    db.select({ count: count() }).from(executions).where(rows.foundInWorkspace(executions, asked)),
  ])
  return { success: true, deletedCount: deleted.length, keptCount: kept?.count ?? 0 }
}

const ofWorkspace = (db: Database, tenant: Tenant, id: string) =>
  scope(db, tenant).inWorkspace(executions, eq(executions.id, id))

type Detail = ExecutionDetail & { apiConfig: string | null }

async function detail(db: Database, condition: SQL | undefined, id: string): Promise<Detail> {
  const more = { question, answer, chatType, trigger, approvals: approvalsJson }
  const isShown = db.select({ id: executions.id }).from(executions).where(condition)
  const { steps, texts } = storedLogs(db, sql`= ${isShown}`)
  const [[row], ...log] = await db.batch([
    db
      .select({ ...columns, ...more, ...longSummary, apiConfig: chatflows.apiConfig })
      .from(executions)
      .innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))
      .where(condition),
    steps,
    texts,
  ])
  if (!row) throw executionNotFound(id)
  const { approvals, apiConfig, questionRef, answerRef, ...summary } = row
  const traces = { steps: log[0], texts: log[1] }
  const textOf = (ref: string | null, otherwise: string | null) => {
    const json = ref === null ? undefined : traces.texts.find(({ hash }) => hash === ref)?.text
    const value = json === undefined ? otherwise : JSON.parse(json)
    return typeof value === 'string' ? value : (json ?? null)
  }
  return {
    ...summaryOf(summary),
    question: textOf(questionRef, null)?.trim() || summary.question,
    answer: textOf(answerRef, summary.answer),
    executionData: tracesOf(traces)(id),
    approvals: parseApprovals(approvals),
    apiConfig,
  }
}

/** Executions in a part of an export, about. */
const EXPORTED = 100

/** Returns these executions of an export with their steps, oldest first. */
export async function exportedExecutions(db: Database, tenant: Tenant, which: SQL) {
  const { workspaceId: _, ...exported } = columns
  const condition = scope(db, tenant).foundInWorkspace(executions, which)
  const { steps, texts } = storedLogs(db, sql`in ${db.select({ id: executions.id }).from(executions).where(condition)}`)
  const [rows, ...log] = await db.batch([
    db
      .select({ ...exported, action: withinRow(executions.action, EXPORTED) })
      .from(executions)
      .innerJoin(chatflows, eq(chatflows.id, executions.agentflowId))
      .where(condition)
      .orderBy(asc(executions.createdDate), sql`${executions}.rowid`),
    steps,
    texts,
  ])
  const traceOf = tracesOf({ steps: log[0], texts: log[1] })
  return rows.map((row) => ({ ...row, executionData: traceOf(row.id) }))
}
