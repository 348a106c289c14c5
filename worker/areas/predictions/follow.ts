/** Reads along with a run that somebody else started or answered, for people who come back to its chat or wait in it. */
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { readRunSettings } from '#contract/chatflows/chatbot-config.ts'
import { errorReport } from '#contract/errors.ts'
import type { HumanInputAction, RunEvent, TraceItem } from '#contract/runs/events.ts'
import { outlineEvent, withoutStepTexts } from '#contract/runs/outline.ts'
import { isReference, jsonIn } from '#db/long-text.ts'
import { chatMessages, executionSteps, executions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { AppEnv } from '../../http/route.ts'
import { type Emit, eventStream } from '../../runs/answers/sse.ts'
import { executionNotFound } from '../../runs/errors.ts'
import { type RunningRun, runningRun } from '../../runs/running.ts'
import type { Services } from '../../services.ts'
import { type ExecutionOutline, readExecution, readExecutionAsCaller } from '../executions/index.ts'

const POLL_MS = 40
/** Between two looks for a run that goes on in this isolate. */
const WAIT_MS = 200
/** Between two reads of a run that waits, or goes on in another isolate. */
const READ_MS = 2000
/** Between the first two reads of the log of a run in another isolate; then more and more, until a step is new. */
const FIRST_PAUSE_MS = 250
/** Readers who went away may not be noticed, so each stream ends; those who stay ask again. */
const FOLLOW_MS = 60_000

interface Followed {
  flowId: string
  executionId: string
  /** The id of a question: the stream waits for its answer, and has the end of the run. */
  question?: string | undefined
}

/** Which runs are a reader's, and what of them the reader sees. */
interface Reader {
  tenant: Tenant
  isTheirs: SQL | undefined
  show(event: RunEvent): RunEvent | undefined
  read(services: Services, executionId: string): Promise<ExecutionOutline>
}

/** Returns how members read the runs of their test chats. */
export const memberReader = (tenant: Tenant): Reader => ({
  tenant,
  isTheirs: sql`${executions.input} ->> '$.chatType' = 'INTERNAL'`,
  show: (event) => event,
  read: ({ db }, executionId) => readExecution(db, tenant, executionId),
})

/** Returns how a caller from outside reads the runs of the conversation whose chat id they hold. */
export function callerReader(flow: { workspaceId: string; chatbotConfig: string | null }, chatId: string): Reader {
  const tenant = { workspaceId: flow.workspaceId }
  const { enabled: isPostProcessed } = readRunSettings(flow.chatbotConfig).postProcessing
  return {
    tenant,
    isTheirs: and(
      eq(executions.chatId, chatId),
      isNull(executions.parentExecutionId),
      sql`${executions.input} ->> '$.chatType' = 'EXTERNAL'`,
    ),
    show(event) {
      const outline = outlineEvent(event)
      if (!isPostProcessed || outline?.event !== 'agentFlowExecutedData') return outline
      return { ...outline, data: withoutStepTexts(outline.data) }
    },
    read: ({ db }, executionId) => readExecutionAsCaller(db, tenant, executionId),
  }
}

interface Following {
  services: Services
  reader: Reader
  followed: Followed
  emit: Emit
  /** The time is over, or the reader is gone. */
  isOver(): boolean
}

/**
 * Streams the tokens, steps and tools of a run from its beginning until it is over; of a run in another isolate its
 * finished steps and its end. Without a question, the stream is empty when the run is over already. Throws `not_found` for runs that are not the reader's.
 */
export async function followRun(c: Context<AppEnv>, reader: Reader, followed: Followed): Promise<Response> {
  const { services } = c.var
  if (!(await readState(services, reader, followed))) throw executionNotFound(followed.executionId)
  const until = services.clock.now().getTime() + FOLLOW_MS
  let isGone = false
  const work = async (send: Emit) => {
    const emit: Emit = (event) => {
      const shown = reader.show(event)
      if (shown) send(shown)
    }
    const isOver = () => isGone || services.clock.now().getTime() > until
    const following = { services, reader, followed, emit, isOver }
    const run = runningRun(followed.executionId)
    if (followed.question !== undefined) await readAnswered(following, followed.question)
    else if (run) await readRunning(following, run)
    else await readLogged(following)
  }
  const keepAlive = (promise: Promise<void>) =>
    c.executionCtx.waitUntil(promise.catch((error) => console.error('reading along:', errorReport(error))))
  return eventStream(work, keepAlive, () => {
    isGone = true
  })
}

/** Sends what a run of this isolate says, until it is over. Returns whether it said anything. */
async function readRunning({ services, followed, emit, isOver }: Following, run: RunningRun): Promise<boolean> {
  let characters = 0
  let events = 0
  for (;;) {
    // Asked before the rest is sent, so that nothing is said between the two.
    const hasEnded = runningRun(followed.executionId) !== run
    for (const event of run.progress.slice(events)) emit(event)
    if (run.text.length > characters) emit({ event: 'token', data: run.text.slice(characters) })
    characters = run.text.length
    events = run.progress.length
    if (hasEnded || isOver()) return characters > 0
    await services.clock.sleep(POLL_MS)
  }
}

/** Sends the steps of a run in another isolate as its log gets them, and its end. Sends nothing when it is over already. */
async function readLogged(following: Following): Promise<void> {
  const { services, emit, isOver } = following
  let last = -1
  let isLive = false
  for (let pause = FIRST_PAUSE_MS; !isOver(); pause = Math.min(1.5 * pause, READ_MS)) {
    const found = await readLog(following, last)
    const goesOn = found?.state === 'INPROGRESS'
    if (!found || !(goesOn || isLive)) return
    isLive = true
    for (const { seq, ...data } of JSON.parse(found.steps) as LoggedStep[]) {
      emit({ event: 'nextAgentFlow', data })
      last = seq
      pause = FIRST_PAUSE_MS
    }
    if (!goesOn) return sendEnd(following, { hasSpoken: false })
    await services.clock.sleep(pause)
  }
}

/** Waits for the answer to a question, and sends the rest of the run with its end. Sends nothing while it waits. */
async function readAnswered(following: Following, question: string): Promise<void> {
  const { services, reader, followed, isOver } = following
  const { clock } = services
  let hasSpoken = false
  for (let readAt = 0; !isOver(); ) {
    const run = runningRun(followed.executionId)
    if (run) {
      hasSpoken = await readRunning(following, run)
      readAt = 0
    }
    if (clock.now().getTime() < readAt) {
      await clock.sleep(WAIT_MS)
      continue
    }
    const found = await readState(services, reader, followed)
    if (!found) return
    const waits = found.state === 'STOPPED' && idOf(found.action) === question
    if (!waits && found.state !== 'INPROGRESS') return sendEnd(following, { hasSpoken })
    readAt = clock.now().getTime() + READ_MS
  }
}

/** Sends the end of a run as the stream of its own caller has it. @param hasSpoken its text was streamed already */
async function sendEnd(
  { services, reader, followed, emit }: Following,
  { hasSpoken }: { hasSpoken: boolean },
): Promise<void> {
  const { db } = services
  const { executionId, flowId } = followed
  const execution = await reader.read(services, executionId)
  const ofRun = and(
    eq(chatMessages.chatflowid, flowId),
    eq(chatMessages.chatId, execution.chatId),
    eq(chatMessages.executionId, executionId),
    eq(chatMessages.role, 'apiMessage'),
  )
  const [message] = await scope(db, reader.tenant)
    .select(chatMessages, ofRun)
    .orderBy(desc(chatMessages.createdDate))
    .limit(1)
  const { state, error, action, approvals } = execution
  const hasFailed = state === 'ERROR' || state === 'TIMEOUT'
  if (message && !hasFailed) {
    if (!hasSpoken) emit({ event: 'token', data: message.content })
    if (message.artifacts) emit({ event: 'artifacts', data: JSON.parse(message.artifacts) })
  }
  emit({ event: 'agentFlowExecutedData', data: JSON.parse(execution.executionData) as TraceItem[] })
  emit({ event: 'agentFlowEvent', data: state })
  if (action) emit({ event: 'action', data: JSON.parse(action) as HumanInputAction })
  if (hasFailed) emit({ event: 'error', data: error ?? 'The run failed' })
  else emit({ event: 'metadata', data: { executionId, chatMessageId: message?.id ?? executionId, approvals } })
  emit({ event: 'end', data: '[DONE]' })
}

async function readState({ db }: Services, reader: Reader, followed: Followed) {
  const [found] = await db
    .select({ state: executions.state, action: executions.action })
    .from(executions)
    .where(namedRun(db, reader, followed))
  return found
}

type LoggedStep = { seq: number } & Extract<RunEvent, { event: 'nextAgentFlow' }>['data']

/**
 * Reads the state of a run, and as JSON the steps that its log has after that one. A step that is kept in parts comes with the
 * whole log at the end.
 */
async function readLog({ services: { db }, reader, followed }: Following, after: number) {
  const { item } = executionSteps
  const steps = sql<string>`(
    select json_group_array(json_object(
      'seq', seq, 'nodeId', node_id, 'nodeLabel', ${jsonIn(item, '$.nodeLabel')}, 'status', ${jsonIn(item, '$.status')}, 'path', path
    ) order by seq)
    from ${executionSteps} where execution_id = ${executions.id} and seq > ${after} and not ${isReference(item)}
  )`
  const [found] = await db
    .select({ state: executions.state, steps })
    .from(executions)
    .where(namedRun(db, reader, followed))
  return found
}

function namedRun(db: Services['db'], { tenant, isTheirs }: Reader, { flowId, executionId }: Followed) {
  const named = and(eq(executions.id, executionId), eq(executions.agentflowId, flowId), isTheirs)
  return scope(db, tenant).foundInWorkspace(executions, named)
}

const idOf = (action: string | null): string | undefined =>
  action === null ? undefined : (JSON.parse(action) as HumanInputAction).id
