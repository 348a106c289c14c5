/** Stored conversations of one flow. */
import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  lte,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { FailedStep, ListMessages, SelectMessages, StoredMessage } from '#contract/chats/chatmessages.ts'
import type { RATINGS } from '#contract/runs/conversation-kinds.ts'
import type { Stats, StatsQuery } from '#contract/stats/stats.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { withinAnswer } from '#db/long-answer.ts'
import { jsonIn } from '#db/long-text.ts'
import { chatMessageFeedback, chatMessages, executionSteps, executions, files } from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type Tenant } from '#db/scope.ts'
import { approvalsJson, parseApprovals } from '../../runs/records/approvals.ts'
import { runTreeOf } from '../../runs/records/run-tree.ts'
import { storedForm } from '../../runs/records/stored-form.ts'
import type { Services } from '../../services.ts'

type Row = typeof chatMessages.$inferSelect

/** Sorted by date, then by order of insertion. */
export async function listMessages(
  db: Database,
  tenant: Tenant,
  { flowId, query }: { flowId: string; query: ListMessages },
): Promise<StoredMessage[]> {
  const direction = query.order === 'ASC' ? asc : desc
  const one = query.messageId ? eq(chatMessages.id, query.messageId) : undefined
  const form = sql<string | null>`case when json_valid(${executions.input}) then ${storedForm(query.limit)} end`
  const stepCount = sql<number>`(
    select count(distinct ${executionSteps.path}) from ${executionSteps}
    where ${executionSteps.executionId} = ${executions.id}
  )`
  const item = sql`failed.item`
  const failedStep = sql<string | null>`case when ${executions.state} = 'ERROR' then (
    select json_object('nodeId', failed.node_id, 'nodeLabel', coalesce(${jsonIn(item, '$.nodeLabel')}, failed.node_id))
    from ${executionSteps} failed
    where failed.execution_id = ${executions.id} and ${jsonIn(item, '$.status')} = 'ERROR'
    order by failed.seq desc limit 1
  ) end`
  const { workspaceId: _, ...columns } = getTableColumns(chatMessages)
  const { content, sourceDocuments, usedTools, fileAnnotations, agentReasoning, reasonContent } = columns
  const { fileUploads, artifacts, action, followUpPrompts } = columns
  const long = {
    ...{ content, sourceDocuments, usedTools, fileAnnotations, agentReasoning, reasonContent },
    ...{ fileUploads, artifacts, action, followUpPrompts },
  }
  const order = [direction(chatMessages.createdDate), direction(sql`${chatMessages}.rowid`)]
  // A query of its own, as `withinAnswer` counts every row that it is asked of.
  const page = db
    .select({ row: sql<number>`${chatMessages}.rowid`.as('row') })
    .from(chatMessages)
    .where(scope(db, tenant).inWorkspace(chatMessages, and(selected(flowId, query), one)))
    .orderBy(...order)
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .as('page')
  const rows = await db
    .select({
      ...{ ...columns, ...withinAnswer(long, { order: sql.join(order, sql`, `) }) },
      execution: {
        id: executions.id,
        state: executions.state,
        error: executions.error,
        endedBy: executions.endedBy,
        form,
        totalTokens: executions.totalTokens,
        totalCost: executions.totalCost,
        stepCount,
        failedStep,
        approvals: approvalsJson,
      },
      feedback: feedbackColumns,
    })
    .from(page)
    .innerJoin(chatMessages, sql`${chatMessages}.rowid = ${page.row}`)
    .leftJoin(executions, eq(executions.id, chatMessages.executionId))
    .leftJoin(chatMessageFeedback, eq(chatMessageFeedback.messageId, chatMessages.id))
    .where(scope(db, tenant).foundInWorkspace(chatMessages, undefined))
    .orderBy(...order)
  const withFeedback = query.feedback === 'true' || query.feedbackType !== undefined
  return rows.map(({ feedback, ...row }) => ({ ...toStoredMessage(row), ...(withFeedback && { feedback }) }))
}

/** Counts the messages, sessions and ratings that match the query. */
export async function countMessages(
  db: Database,
  tenant: Tenant,
  { flowId, query }: { flowId: string; query: StatsQuery },
): Promise<Stats> {
  const { rating, id } = chatMessageFeedback
  const [counts] = await db
    .select({
      totalMessages: count(),
      totalSessions: countDistinct(chatMessages.sessionId),
      totalFeedback: count(id),
      positiveFeedback: sql<number>`count(case when ${rating} = 'THUMBS_UP' then 1 end)`,
    })
    .from(chatMessages)
    .leftJoin(chatMessageFeedback, eq(chatMessageFeedback.messageId, chatMessages.id))
    .where(scope(db, tenant).inWorkspace(chatMessages, selected(flowId, query)))
  return counts as Stats
}

export const deleteMessages = (
  db: Database,
  tenant: Tenant,
  { flowId, query }: { flowId: string; query: SelectMessages },
) => deleteWhere(db, tenant, { flowId, condition: selected(flowId, query) })

/** Deletes messages of a flow, and the files sent with them. */
export async function deleteWhere(
  db: Database,
  tenant: Tenant,
  { flowId, condition }: { flowId: string; condition: SQL | undefined },
) {
  const rows = scope(db, tenant)
  const id = sql`case when upload.type = 'object' then json_extract(upload.value, '$.id') end`
  const mine = rows.inWorkspace(chatMessages, condition)
  const ids = sql`(select ${id} from ${chatMessages}, json_each(${jsonIn(chatMessages.fileUploads, '$')}) as upload where ${mine})`
  const [, deleted] = await db.batch([
    rows.delete(files, and(eq(files.chatflowid, flowId), inArray(files.id, ids))),
    rows.delete(chatMessages, condition).returning({ id: chatMessages.id }),
  ])
  return { raw: [], affected: deleted.length }
}

/**
 * Ends the executions of a chat and their subflows. Running executions notice within about a second and store their
 * results; waiting executions have no worker, so they are ended here. Returns whether there were any.
 */
export async function terminateChat(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { flowId, chatId }: { flowId: string; chatId: string },
): Promise<boolean> {
  const now = clock.now().toISOString()
  const isLive = inArray(executions.state, ['INPROGRESS', 'STOPPED'])
  const ofChat = and(eq(executions.agentflowId, flowId), eq(executions.chatId, chatId), isLive)
  const first = db.select({ id: executions.id }).from(executions).where(ofChat)
  // The `+` keeps SQLite from going through all live runs.
  const endsNow = sql`+(${isLive}) and ${executions.id} in ${runTreeOf(sql`${first}`)}`
  const ifWaiting = (value: SQL | string | null, otherwise: unknown) =>
    sql`case when ${executions.state} = 'STOPPED' then ${value} else ${otherwise} end`
  const all = acrossWorkspaces(db, 'a public call names a flow and a chat, and stops their runs')
  const [, ended] = await db.batch([
    all
      .update(chatMessages)
      .set({ action: null })
      .where(
        and(
          eq(chatMessages.chatflowid, flowId),
          eq(chatMessages.chatId, chatId),
          inArray(chatMessages.executionId, db.select({ id: executions.id }).from(executions).where(endsNow)),
        ),
      ),
    all
      .update(executions)
      .set({
        state: 'TERMINATED',
        action: null,
        error: ifWaiting('Flow execution was canceled', executions.error),
        updatedDate: ifWaiting(now, executions.updatedDate),
        stoppedDate: ifWaiting(now, executions.stoppedDate),
      })
      .where(endsNow)
      .returning({ id: executions.id }),
  ])
  return ended.length > 0
}

/** Returns the condition of a flow's messages that match the query. */
export const selected = (flowId: string, query: SelectMessages): SQL | undefined =>
  and(eq(chatMessages.chatflowid, flowId), matching(query))

/** Returns the condition of messages, of any flow, that match the query. */
export function matching(query: SelectMessages): SQL | undefined {
  return and(
    query.chatId ? eq(chatMessages.chatId, query.chatId) : undefined,
    query.sessionId ? eq(chatMessages.sessionId, query.sessionId) : undefined,
    query.memoryType ? eq(chatMessages.memoryType, query.memoryType) : undefined,
    query.chatType ? inArray(chatMessages.chatType, query.chatType) : undefined,
    query.startDate ? gte(chatMessages.createdDate, query.startDate) : undefined,
    query.endDate ? lte(chatMessages.createdDate, query.endDate) : undefined,
    query.feedbackType ? hasRating(query.feedbackType) : undefined,
    query.search ? contains(chatMessages.content, query.search) : undefined,
  )
}

/** Matches answers with one of these ratings, and the questions of the same runs. */
function hasRating(ratings: readonly (typeof RATINGS)[number][]): SQL {
  const wanted = inArray(chatMessageFeedback.rating, [...ratings])
  return sql`exists (
    select 1 from ${chatMessageFeedback} join chat_messages as rated on rated.id = ${chatMessageFeedback.messageId}
    where ${wanted} and (rated.id = ${chatMessages}.id or rated.execution_id = ${chatMessages}.execution_id)
  )`
}

const { workspaceId: _, ...feedbackColumns } = getTableColumns(chatMessageFeedback)

type Joined = Omit<Row, 'workspaceId'> & {
  execution:
    | (Omit<NonNullable<StoredMessage['execution']>, 'form' | 'failedStep' | 'approvals'> & {
        form: string | null
        failedStep: string | null
        approvals: string
      })
    | null
}

function toStoredMessage(row: Joined): StoredMessage {
  return {
    ...row,
    execution: row.execution && {
      ...row.execution,
      form: json(row.execution.form) as Record<string, unknown> | null,
      failedStep: json(row.execution.failedStep) as FailedStep | null,
      approvals: parseApprovals(row.execution.approvals),
    },
    usedTools: json(row.usedTools) as StoredMessage['usedTools'],
    sourceDocuments: json(row.sourceDocuments),
    fileAnnotations: json(row.fileAnnotations),
    agentReasoning: json(row.agentReasoning),
    reasonContent: json(row.reasonContent),
    fileUploads: json(row.fileUploads),
    artifacts: json(row.artifacts),
    action: json(row.action),
  }
}

const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
