/** Statements that write a run's rows: the question at its start, the answer at its end. */
import { eq, sql } from 'drizzle-orm'
import { truncate } from '#contract/data/format.ts'
import type { TraceItem } from '#contract/runs/events.ts'
import { citedBy } from '#contract/runs/sources.ts'
import type { Database } from '#db/client.ts'
import { storedText } from '#db/long-text.ts'
import { prepareStatement, slot, slotsFor } from '#db/prepared-statement.ts'
import { chatMessages, executions, leads } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { RunOutcome } from '../../engine/types.ts'
import type { Services } from '../../services.ts'
import type { RunStart } from '../run-start.ts'
import { withoutCredentialIds } from './credential-ids.ts'
import { hasFailed } from './run-end.ts'
import type { Statement } from './run-record.ts'
import { extractInput } from './run-texts.ts'
import { endWaitingSubruns } from './run-tree.ts'
import { textStatements } from './step-statements.ts'

/** The run that a replay repeats, or that called this one. */
interface Origin {
  replayOf?: string
  replayFrom?: string
  parentExecutionId?: string
}

type Execution = typeof executions.$inferInsert
type Message = typeof chatMessages.$inferInsert

const tenantSlot = { workspaceId: slot('workspaceId') }

const insertExecution = prepareStatement((db) =>
  scope(db, tenantSlot).insert(executions, {
    ...slotsFor<Execution>(
      'id',
      'agentflowId',
      'flowVersion',
      'sessionId',
      'chatId',
      'input',
      'inputTexts',
      'leaseExpiresDate',
      'createdDate',
      'updatedDate',
      'replayOf',
      'replayFrom',
      'parentExecutionId',
    ),
    state: 'INPROGRESS',
  }),
)

const insertMessage = prepareStatement((db) => {
  const rows = scope(db, tenantSlot)
  const isLead = rows.foundInWorkspace(leads, eq(leads.id, slot('leadId')))
  const leadEmail = sql`coalesce(${slot('leadEmail')}, (select ${leads.email} from ${leads} where ${isLead}))`
  return rows.insert(chatMessages, {
    ...slotsFor<Message>(
      'id',
      'chatflowid',
      'chatType',
      'executionId',
      'chatId',
      'sessionId',
      'role',
      'content',
      'fileUploads',
      'sourceDocuments',
      'usedTools',
      'artifacts',
      'reasonContent',
      'action',
      'createdDate',
    ),
    leadEmail: leadEmail as never,
  })
})

/** A cancelled run stays cancelled. */
const endExecution = prepareStatement((db) => {
  const isCancelled = sql`${executions.state} = 'TERMINATED'`
  return scope(db, tenantSlot).update(executions, eq(executions.id, slot('executionId')), {
    state: sql`case when ${isCancelled} then 'TERMINATED' else ${slot('state')} end` as never,
    error: slot('error') as never,
    endedBy: slot('endedBy') as never,
    action: sql`case when ${isCancelled} then null else ${slot('action')} end` as never,
    flowState: slot('flowState') as never,
    totalTokens: slot('totalTokens') as never,
    totalCost: slot('totalCost') as never,
    leaseExpiresDate: null,
    updatedDate: slot('now') as never,
    stoppedDate: sql`coalesce(${slot('stoppedDate')}, ${executions.stoppedDate})` as never,
  })
})

const endSubruns = prepareStatement((db) =>
  endWaitingSubruns(scope(db, tenantSlot), { executionId: slot('executionId'), now: slot('now') }),
)

/** Characters; a row must fit into 5 MB. */
const MAX_ERROR = 100_000

const NO_ORIGIN: Record<keyof Origin, null> = { replayOf: null, replayFrom: null, parentExecutionId: null }
const PLAIN_MESSAGE = {
  fileUploads: null,
  sourceDocuments: null,
  usedTools: null,
  artifacts: null,
  reasonContent: null,
  action: null,
}
const NO_LEAD = { leadEmail: null, leadId: null }

/** Inserts the execution with its long texts, and the user's message. */
export function openingStatements(db: Database, start: RunStart, origin: Origin = {}): Statement[] {
  const { runContext, call, executionId, chatId, sessionId } = start
  const { workspaceId } = runContext.flow
  const createdDate = start.startedAt.toISOString()
  const { rest, refs, added } = extractInput(call)
  return [
    insertExecution(db, {
      workspaceId,
      id: executionId,
      agentflowId: runContext.flow.id,
      flowVersion: runContext.flow.version,
      sessionId,
      chatId,
      input: JSON.stringify(rest),
      inputTexts: refs,
      leaseExpiresDate: start.lease,
      createdDate,
      updatedDate: createdDate,
      ...NO_ORIGIN,
      ...origin,
    }),
    ...textStatements(db, { executionId, texts: added, now: createdDate }),
    insertMessage(db, {
      workspaceId,
      ...turnOf(start),
      ...PLAIN_MESSAGE,
      ...NO_LEAD,
      ...start.lead,
      id: crypto.randomUUID(),
      role: 'userMessage',
      content: start.question || ' ',
      fileUploads: jsonOf(start.call.uploads),
      createdDate,
    }),
  ]
}

/**
 * Writes the answer, if there is one, and the execution's end. A cancelled run stays cancelled. Called runs that wait
 * for a person end too, unless this run was called itself and may be retried.
 * @param isOpen the run's rows are stored; before that it cannot have called another
 */
export function answerStatements(
  { db, clock }: Services,
  start: RunStart,
  { isOpen, ...outcome }: RunOutcome & { isOpen: boolean },
): Statement[] {
  const { executionId, runContext } = start
  const { workspaceId } = runContext.flow
  const now = answerDate(start, clock.now())
  const action = outcome.action ? withoutCredentialIds(outcome.action) : null
  const end = endExecution(db, {
    workspaceId,
    executionId,
    state: outcome.state,
    error: outcome.error === undefined ? null : truncate(outcome.error, MAX_ERROR),
    endedBy: outcome.limit ?? null,
    action: action && storedText(action),
    flowState: Object.keys(outcome.flowState).length > 0 ? storedText(JSON.stringify(outcome.flowState)) : null,
    totalTokens: outcome.totalTokens,
    totalCost: outcome.totalCost,
    now,
    stoppedDate: isStop(outcome) ? now : null,
  })
  const isOver = outcome.state !== 'STOPPED' && !start.caller && !runContext.run?.parentExecutionId
  const ends = isOver && isOpen ? [end, endSubruns(db, { workspaceId, executionId, now })] : [end]
  if (hasFailed(outcome) || (outcome.state === 'TERMINATED' && outcome.text === '')) return ends
  const cited = citedBy(outcome.trace)
  const answer = insertMessage(db, {
    workspaceId,
    ...turnOf(start),
    ...NO_LEAD,
    id: start.call.apiMessageId,
    role: 'apiMessage',
    // libSQL returns a text only up to its first NUL.
    content: outcome.text.replaceAll('\0', '') || ' ',
    fileUploads: null,
    sourceDocuments: cited.length > 0 ? JSON.stringify(cited) : null,
    usedTools: jsonOf(lastOf(outcome.trace, 'usedTools')),
    artifacts: jsonOf(lastOf(outcome.trace, 'artifacts')),
    reasonContent: jsonOf(lastOf(outcome.trace, 'reasonContent')),
    action,
    createdDate: now,
  })
  return [answer, ...ends]
}

const isStop = ({ state }: RunOutcome) => state === 'STOPPED' || state === 'TERMINATED'

function turnOf({ runContext, call, executionId, chatId, sessionId }: RunStart) {
  return { chatflowid: runContext.flow.id, chatType: call.chatType, executionId, chatId, sessionId }
}

/** Returns a date later than the question's, even within one millisecond. */
function answerDate({ startedAt }: RunStart, now: Date): string {
  return new Date(Math.max(now.getTime(), startedAt.getTime() + 1)).toISOString()
}

function lastOf(trace: TraceItem[], key: string): unknown {
  return trace.at(-1)?.data.output?.[key]
}

const jsonOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
