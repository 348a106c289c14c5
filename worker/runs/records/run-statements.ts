/** Statements that write a run's rows: the question at its start, the answer at its end. */
import { eq, sql } from 'drizzle-orm'
import type { TraceItem } from '#contract/runs/events.ts'
import type { Database } from '#db/client.ts'
import { chatMessages, executions } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { RunOutcome } from '../../engine/types.ts'
import type { Services } from '../../services.ts'
import type { RunStart } from '../run-start.ts'
import { withoutCredentialIds } from './credential-ids.ts'
import { hasFailed } from './run-end.ts'
import type { Statement } from './run-record.ts'
import { endWaitingSubruns } from './run-tree.ts'

/** The run that a replay repeats, or that called this one. */
export interface Origin {
  replayOf?: string
  replayFrom?: string
  parentExecutionId?: string
}

/** Inserts the execution and the user's message. */
export function openingStatements(db: Database, start: RunStart, origin: Origin = {}): Statement[] {
  const { runContext, call, executionId, chatId, sessionId } = start
  const rows = scope(db, runContext.flow)
  const createdDate = start.startedAt.toISOString()
  return [
    rows.insert(executions, {
      id: executionId,
      agentflowId: runContext.flow.id,
      flowVersion: runContext.flow.version,
      sessionId,
      chatId,
      state: 'INPROGRESS',
      input: JSON.stringify(call),
      leaseExpiresDate: start.lease,
      createdDate,
      updatedDate: createdDate,
      ...origin,
    }),
    rows.insert(chatMessages, {
      ...turnOf(start),
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
 */
export function answerStatements({ db, clock }: Services, start: RunStart, outcome: RunOutcome): Statement[] {
  const rows = scope(db, start.runContext.flow)
  const now = answerDate(start, clock.now())
  const action = outcome.action ? withoutCredentialIds(outcome.action) : null
  const end = rows.update(executions, eq(executions.id, start.executionId), {
    state: sql`case when ${executions.state} = 'TERMINATED' then 'TERMINATED' else ${outcome.state} end` as never,
    error: outcome.error ?? null,
    endedBy: outcome.limit ?? null,
    action: sql`case when ${executions.state} = 'TERMINATED' then null else ${action} end` as never,
    flowState: Object.keys(outcome.flowState).length > 0 ? outcome.flowState : null,
    totalTokens: outcome.totalTokens,
    totalCost: outcome.totalCost,
    leaseExpiresDate: null,
    updatedDate: now,
    ...(isStop(outcome) && { stoppedDate: now }),
  })
  const isOver = outcome.state !== 'STOPPED' && !start.caller && !start.runContext.run?.parentExecutionId
  const ends = isOver ? [end, endWaitingSubruns(rows, { executionId: start.executionId, now })] : [end]
  if (hasFailed(outcome) || (outcome.state === 'TERMINATED' && outcome.text === '')) return ends
  const answer = rows.insert(chatMessages, {
    ...turnOf(start),
    id: start.call.apiMessageId,
    role: 'apiMessage',
    // libSQL returns a text only up to its first NUL.
    content: outcome.text.replaceAll('\0', '') || ' ',
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
