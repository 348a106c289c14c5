import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { TraceItem } from '#contract/runs/events.ts'
import { isReference, longJson, longText } from '../long-text.ts'
import { workspaces } from './account.ts'
import { chatflows } from './chatflows.ts'

export const executions = sqliteTable(
  'executions',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    agentflowId: text('agentflow_id')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    /** The flow's version that ran. */
    flowVersion: integer('flow_version').notNull(),
    sessionId: text('session_id').notNull(),
    chatId: text('chat_id').notNull(),
    state: text('state', { enum: ['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED', 'TIMEOUT'] }).notNull(),
    /** The caller's question or form as JSON: what a resume starts from. */
    input: text('input').notNull(),
    /** JSON pointers into `input` and the hashes of the run's texts and values that belong there; null: `input` is whole. */
    inputTexts: text('input_texts', { mode: 'json' }).$type<Record<string, string>>(),
    error: text('error'),
    /** The limit that ended the run. */
    endedBy: text('ended_by', { enum: ['tokens', 'cost', 'steps', 'time'] }),
    /** Seconds of work so far, all attempts together, without waiting for people. */
    workSeconds: real('work_seconds').notNull().default(0),
    /** The run whose first steps this one took over, and the path from which it went its own way. */
    replayOf: text('replay_of'),
    replayFrom: text('replay_from'),
    /** The run that called this one. */
    parentExecutionId: text('parent_execution_id'),
    /** Kept as a test case. */
    isStarred: integer('is_starred', { mode: 'boolean' }).notNull().default(false),
    /** The flow state in which the run ended: what Persist state carries into the session's next run. */
    flowState: longJson('flow_state').$type<Record<string, unknown>>(),
    /** While STOPPED: JSON of the `HumanInputAction` that is asked first. */
    action: longText('action'),
    isPublic: integer('is_public', { mode: 'boolean' }).notNull().default(false),
    totalTokens: integer('total_tokens').notNull().default(0),
    /** US dollars; null when no price is known. */
    totalCost: real('total_cost'),
    /** While a worker holds the run; past it, the run is an orphan. */
    leaseExpiresDate: text('lease_expires_date'),
    /** Number of starts and resumes. A run that keeps crashing its worker is given up. */
    attempts: integer('attempts').notNull().default(1),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
    stoppedDate: text('stopped_date'),
    /** While STOPPED: when those who may answer were told by email, or it was found that nobody is to be told. */
    announcedDate: text('announced_date'),
  },
  (t) => [
    index('executions_workspace').on(t.workspaceId, t.createdDate, t.id),
    index('executions_flow').on(t.workspaceId, t.agentflowId, t.createdDate, t.id),
    index('executions_session').on(t.workspaceId, t.sessionId, t.createdDate, t.id),
    index('executions_unfinished').on(t.workspaceId, t.state, t.createdDate, t.id).where(sql`${t.state} <> 'FINISHED'`),
    index('executions_starred').on(t.workspaceId, t.createdDate, t.id).where(sql`${t.isStarred} = 1`),
    index('executions_replay').on(t.workspaceId, t.replayOf, t.createdDate, t.id).where(sql`${t.replayOf} is not null`),
    index('executions_parent')
      .on(t.parentExecutionId, t.workspaceId, t.createdDate, t.id)
      .where(sql`${t.parentExecutionId} is not null`),
    index('executions_flow_session').on(t.agentflowId, t.sessionId, t.createdDate),
    index('executions_flow_version').on(t.agentflowId, t.flowVersion),
    index('executions_state').on(t.state, t.leaseExpiresDate),
    // With the state in it, which SQLite else finds by the index above.
    index('executions_unannounced')
      .on(t.state, t.stoppedDate)
      .where(sql`${t.state} = 'STOPPED' and ${t.announcedDate} is null`),
    index('executions_flow_state_long').on(t.flowState).where(isReference(t.flowState)),
    index('executions_action_long').on(t.action).where(isReference(t.action)),
  ],
)

/** The log of a run: one row per finished occurrence of a node. Append-only. */
export const executionSteps = sqliteTable(
  'execution_steps',
  {
    executionId: text('execution_id')
      .notNull()
      .references(() => executions.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    path: text('path').notNull(),
    nodeId: text('node_id').notNull(),
    takenOutputs: text('taken_outputs', { mode: 'json' }).$type<number[]>(),
    item: longJson('item').$type<TraceItem>().notNull(),
    /** As `inputTexts`, for `item`. */
    texts: text('texts', { mode: 'json' }).$type<Record<string, string>>(),
    /** The secret values that `item` hides and later steps read, encrypted with the workspace's key. */
    sealed: longText('sealed'),
    /** Taken over from another run: it cost nothing. */
    isCopied: integer('is_copied', { mode: 'boolean' }).notNull().default(false),
    startedAt: text('started_at').notNull(),
    finishedAt: text('finished_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.executionId, t.seq] }),
    index('execution_steps_item_long').on(t.item).where(isReference(t.item)),
    index('execution_steps_sealed_long').on(t.sealed).where(isReference(t.sealed)),
  ],
)

/** The long texts of a run, each once. Its input and its steps refer to them. */
export const runTexts = sqliteTable(
  'run_texts',
  {
    executionId: text('execution_id')
      .notNull()
      .references(() => executions.id, { onDelete: 'cascade' }),
    /** SHA-256 of `text`, base64url. */
    hash: text('hash').notNull(),
    /** As JSON. */
    text: longText('text').notNull(),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.executionId, t.hash] }),
    index('run_texts_text_long').on(t.text).where(isReference(t.text)),
  ],
)
