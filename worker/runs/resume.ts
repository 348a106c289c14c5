/** Answers a run that waits for a person: each question is answered once, and the run resumes from its log. */
import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { HumanInput, Prediction } from '#contract/predictions/predictions.ts'
import { approversOf, mayAnswer, type Standing, waitedFor } from '#contract/runs/approvers.ts'
import type { HumanAnswer, HumanInputAction, Responder } from '#contract/runs/events.ts'
import type { Database } from '#db/client.ts'
import { chatMessages, executions } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, ownerOfFlow, scope } from '#db/scope.ts'
import type { StepRow } from '../engine/types.ts'
import type { Services } from '../services.ts'
import { type RunContext, readRunContext } from './context/run-context.ts'
import { executionNotFound } from './errors.ts'
import { type ChatType, sessionOf } from './inputs/call.ts'
import {
  answerRow,
  answerText,
  executionOfAction,
  findPendingInput,
  type PendingInput,
  wasAnswered,
} from './pending-inputs.ts'
import { stepStatements } from './records/step-statements.ts'
import { createLease } from './recovery/lease.ts'
import { continueRun, type RunStart } from './run-start.ts'

/**
 * Selects the id of the run that a call answers: the one that it names, else the one of its session that stopped last.
 * Callers from outside must send the chat id, because session ids can be guessed.
 */
export function waitingRunQuery(
  db: Database,
  flowId: string,
  { body, chatType }: { body: Prediction; chatType: ChatType },
): SQL {
  const { chatId, sessionId, isKnown } = sessionOf(body)
  const id = namedRun(body.humanInput)
  if (!id && !isKnown) {
    throw new HeddleError('bad_request', 'chatId: Send the chatId of the conversation, or humanInput.executionId', {
      field: 'chatId',
    })
  }
  const known = isKnown ? eq(executions.chatId, chatId) : sql`false`
  const mine = chatType === 'INTERNAL' ? undefined : known
  const named = id && and(eq(executions.id, id), mine)
  const ofSession = and(eq(executions.sessionId, sessionId), mine, isNull(executions.parentExecutionId))
  const rows = scope(db, ownerOfFlow(flowId))
  const runs = db
    .select({ id: executions.id })
    .from(executions)
    .where(rows.inWorkspace(executions, and(eq(executions.agentflowId, flowId), named || ofSession)))
    .orderBy(sql`${executions.stoppedDate} is null`, desc(executions.createdDate), sql`rowid desc`)
    .limit(1)
  return sql`${runs}`
}

const namedRun = (input: HumanInput | null | undefined): string | undefined =>
  input?.executionId || (input?.actionId ? executionOfAction(input.actionId) : undefined)

/** Reads the context of a shared run: anybody who has its link may answer it. Throws `not_found` when it is not shared. */
export async function readSharedRunContext({ db }: Services, executionId: string): Promise<RunContext> {
  const isShared = and(eq(executions.id, executionId), eq(executions.isPublic, true), isInUse(executions.workspaceId))
  const { agentflowId: flowId, parentExecutionId } = executions
  const shared = acrossWorkspaces(db, 'anybody with the link of a shared run may answer it')
  const [run] = await shared.select({ flowId, parentExecutionId }).from(executions).where(isShared)
  if (!run) throw executionNotFound(executionId)
  if (run.parentExecutionId) throw new HeddleError('conflict', CALLED)
  return readRunContext(db, { flowId: run.flowId, version: 'own', run: sql`${executionId}` })
}

/**
 * Answers the question and takes over the run. An answer that names its question waits while the run works on another.
 * Throws `not_found`, `forbidden` when the question is for others, or `conflict` when somebody else was first.
 */
export async function resumeRun(
  services: Services,
  runContext: RunContext,
  { input, by, standing }: { input: HumanInput; by: Responder; standing: Standing },
): Promise<RunStart> {
  const { db, clock } = services
  const answer: HumanAnswer = { type: input.type, ...(input.feedback && { feedback: input.feedback }), by }
  const until = clock.now().getTime() + ANSWER_WAIT_MS
  let asked: HumanInput = input
  let now = runContext
  for (;;) {
    const wait = requirePendingInput(now, asked)
    assertMayAnswer(wait.action, standing)
    asked = { ...asked, actionId: wait.action.id }
    const start = now.run?.state === 'STOPPED' ? await answerPendingInput(services, now, { wait, answer }) : undefined
    if (start) return start
    if (clock.now().getTime() > until) throw refusal(now, asked)
    await clock.sleep(POLL_MS)
    now = await readRunContext(db, { flowId: now.flow.id, tenant: now.flow, version: 'own', run: sql`${now.run?.id}` })
  }
}

const CALLED = 'Another run called this one. Answer the question there.'
const ANSWER_WAIT_MS = 60_000
const POLL_MS = 300

/** Returns the question to answer; while the run works, only a named one. Throws when there is none. */
function requirePendingInput(runContext: RunContext, asked: HumanInput): PendingInput {
  const { run } = runContext
  if (!run) throw new HeddleError('not_found', 'No run waits for an answer here', { field: 'humanInput' })
  if (run.parentExecutionId) {
    const { parentExecutionId } = run
    throw new HeddleError('conflict', CALLED, { parentExecutionId })
  }
  const isNamed = Boolean(asked.actionId || asked.startNodeId)
  const mayAnswer = run.state === 'STOPPED' || (run.state === 'INPROGRESS' && isNamed)
  const first = run.action ? (JSON.parse(run.action) as { id?: string }).id : undefined
  const wait = mayAnswer ? findPendingInput(run.steps, { ...asked, first }) : undefined
  if (!wait) throw refusal(runContext, asked)
  return wait
}

function assertMayAnswer({ data: { input } }: HumanInputAction, standing: Standing): void {
  const approvers = approversOf(input)
  if (mayAnswer(approvers, standing)) return
  const whose = approvers.kind === 'role' ? `people with the role ${waitedFor(approvers)}` : 'members of its workspace'
  const message = `This question is for ${whose}, who answer it under Executions. The run continues after they answer.`
  throw new HeddleError('forbidden', message, { approvers: approvers.kind })
}

/** Returns undefined when the run no longer waits: somebody else was first. */
export async function answerPendingInput(
  services: Services,
  runContext: RunContext,
  { wait, answer }: { wait: PendingInput; answer: HumanAnswer },
): Promise<RunStart | undefined> {
  const { db, clock } = services
  const now = clock.now()
  const start = continueRun(runContext, createLease(now))
  const row = answerRow(wait, answer, { seq: (start.done.at(-1)?.seq ?? -1) + 1, now: now.toISOString() })
  const resumed: RunStart = {
    ...start,
    question: answerText(answer, wait.action),
    startedAt: now,
    call: { ...start.call, apiMessageId: crypto.randomUUID() },
    done: [...start.done, row],
  }
  try {
    await claim(db, resumed, row)
    return resumed
  } catch (error) {
    const [current] = await scope(db, runContext.flow).select(executions, eq(executions.id, resumed.executionId))
    if (!current || (current.state === 'STOPPED' && current.updatedDate === runContext.run?.updatedDate)) throw error
    return undefined
  }
}

/**
 * Writes the answer in one batch, which fails as a whole when the run no longer waits: then null is written to a column
 * that refuses it, or the log has a row with the same number.
 */
async function claim(db: Database, start: RunStart, row: StepRow): Promise<void> {
  const rows = scope(db, start.runContext.flow)
  const { executionId, chatId, sessionId, call } = start
  const now = start.startedAt.toISOString()
  const leadEmail = db
    .select({ leadEmail: chatMessages.leadEmail })
    .from(chatMessages)
    .where(rows.foundInWorkspace(chatMessages, and(messagesOf(start), isNotNull(chatMessages.leadEmail))))
    .limit(1)
  await db.batch([
    rows.update(executions, eq(executions.id, executionId), {
      updatedDate: sql`case when ${executions.state} = 'STOPPED' then ${now} end` as never,
      state: 'INPROGRESS',
      action: null,
      announcedDate: null,
      input: sql`json_set(${executions.input}, '$.apiMessageId', ${call.apiMessageId})` as never,
      leaseExpiresDate: start.lease,
      attempts: 1,
    }),
    ...stepStatements(db, { executionId, rows: [row], now }),
    rows.update(chatMessages, messagesOf(start), { action: null }),
    rows.insert(chatMessages, {
      id: crypto.randomUUID(),
      chatflowid: start.runContext.flow.id,
      chatType: call.chatType,
      executionId,
      chatId,
      sessionId,
      role: 'userMessage',
      content: start.question,
      leadEmail: sql`${leadEmail}` as never,
      createdDate: now,
    }),
  ])
}

/** Includes the chat for the sake of its index. */
const messagesOf = ({ executionId, chatId, runContext }: RunStart) =>
  and(
    eq(chatMessages.chatflowid, runContext.flow.id),
    eq(chatMessages.chatId, chatId),
    eq(chatMessages.executionId, executionId),
  )

function refusal({ run }: RunContext, asked: Pick<HumanInput, 'actionId' | 'startNodeId'>): HeddleError {
  if (!run) throw new Error('The run context was read without the run')
  const details = { executionId: run.id, state: run.state }
  const answered = wasAnswered(run.steps, asked)
  if (run.state === 'INPROGRESS') {
    const reason = answered ? 'This was already answered, and the run continues.' : 'This run is still running.'
    return new HeddleError('conflict', `${reason} Wait until it ends or asks again.`, details)
  }
  if (run.state === 'STOPPED') {
    return answered
      ? new HeddleError('conflict', 'This was already answered. The run now waits for another answer.', details)
      : new HeddleError('not_found', 'This run does not ask that question', { ...details, field: 'humanInput' })
  }
  const reason = answered ? 'This was already answered, and the run has ended.' : 'This run has ended.'
  return new HeddleError('conflict', `${reason} It no longer waits for an answer.`, details)
}
