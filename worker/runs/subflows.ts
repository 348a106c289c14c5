/** Runs that a run starts by calling another flow: each is found again by the key of its call. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { predictionSchema } from '#contract/predictions/predictions.ts'
import type { HumanInputAction, TraceItem, UsageMetadata } from '#contract/runs/events.ts'
import type { RunLimits } from '#contract/runs/limits.ts'
import { stepUsages, subtractUsage, sumUsage } from '#contract/runs/usage.ts'
import type { Database } from '#db/client.ts'
import { chatflows, chatMessages, executions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { StepRow } from '../engine/types.ts'
import type { FlowAnswer, FlowCall, Flows } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { type RunContext, readRunContext } from './context/run-context.ts'
import type { RunContextQuery } from './context/run-context-queries.ts'
import { deterministicId } from './deterministic-id.ts'
import { completeCall, type StoredCall, sessionOf } from './inputs/call.ts'
import { findPendingInput } from './pending-inputs.ts'
import type { RunEnd } from './records/run-end.ts'
import type { RunRecord } from './records/run-record.ts'
import { openingStatements } from './records/run-statements.ts'
import { failRun, failureReason } from './recovery/fail-run.ts'
import { claimSubrun } from './recovery/orphans.ts'
import { answerPendingInput } from './resume.ts'
import { type Caller, continueRun, createRun, type RunStart } from './run-start.ts'

/** Flows that may run inside one another, the outermost included. */
const MAX_DEPTH = 8
const POLL_MS = 500

export interface CallingRun {
  start: RunStart
  record: RunRecord
  /** Returns what the calling run may still use. */
  limitsLeft(): RunLimits
}

/** A called run: one that has answered already, or one to run. */
export type Subrun = { answer: FlowAnswer } | PreparedSubrun

interface PreparedSubrun {
  start: RunStart
  /** Usage that was reported to the calling step by an earlier attempt. */
  reported: UsageMetadata
  /** The earlier attempt failed, so its usage is not part of the answer's. */
  isRetry?: true
}

type Call = Omit<FlowCall, 'onFailure'>
type Answer = Omit<Parameters<Flows['resume']>[0], 'onFailure'>

export function callerOf({ start, limitsLeft }: CallingRun): Caller {
  return { executionId: start.executionId, calledBy: chainOf(start), limitsLeft: limitsLeft() }
}

/** Returns the flows from the outermost to this run's. */
const chainOf = ({ caller, runContext }: RunStart): string[] => [...(caller?.calledBy ?? []), runContext.flow.id]

/** Finds the run of this call, or creates it. Throws an Error that names the flow when it may not be called. */
export async function prepareSubrun(
  services: Services,
  calling: CallingRun,
  { flowId, question, overrideConfig, key, signal }: Call,
): Promise<Subrun> {
  const { db } = services
  const { flow } = calling.start.runContext
  await assertMayCall(db, flow, [...chainOf(calling.start), flowId])
  const executionId = await deterministicId(flow, `run ${key}`)
  // A chat of its own for each chat of the calling flow, apart from the chats of direct callers.
  const chatId = await deterministicId(flow, `chat ${calling.start.chatId} ${flow.id}`)
  const body = predictionSchema.parse({ question, overrideConfig, chatId })
  const { sessionId } = sessionOf(body)
  const runContext = await readSubrun(services, flow, { flowId, sessionId, run: sql`${executionId}` })
  if (runContext.run) return reattach(services, runContext, { tenant: flow, signal })
  const call = completeCall(body, runContext, 'EXTERNAL')
  const start = createRun(services, { executionId, chatId, sessionId, call, runContext })
  await calling.record.barrier()
  const origin = { parentExecutionId: calling.start.executionId }
  return { start: { ...start, opening: openingStatements(db, start, origin) }, reported: NO_USAGE }
}

/** Answers a called run that waits for a person. The same answer to the same question counts once. */
export async function prepareAnswer(
  services: Services,
  calling: CallingRun,
  { executionId, actionId, answer, signal }: Answer,
): Promise<Subrun> {
  const { flow } = calling.start.runContext
  const isCalled = and(eq(executions.id, executionId), eq(executions.parentExecutionId, calling.start.executionId))
  const [row] = await scope(services.db, flow).select(executions, isCalled)
  if (!row) throw new Error('The run of the called flow was deleted')
  const read = () => readSubrun(services, flow, { flowId: row.agentflowId as string, run: sql`${executionId}` })
  const runContext = await read()
  const { run } = runContext
  const wait = run?.state === 'STOPPED' ? findPendingInput(run.steps, { actionId }) : undefined
  if (!wait) return reattach(services, runContext, { tenant: flow, signal })
  const start = await answerPendingInput(services, runContext, { wait, answer })
  if (start) return { start, reported: usageOf(start) }
  return reattach(services, await read(), { tenant: flow, signal })
}

/** Waits for a run that was called before. Returns its answer, or the rest of it when its worker is gone. */
async function reattach(
  services: Services,
  runContext: RunContext,
  { tenant, signal }: { tenant: Tenant; signal: AbortSignal },
): Promise<Subrun> {
  const { db, clock } = services
  const { run, flow } = runContext
  if (!run) throw new Error(`${flow.name}: its run was deleted`)
  if (run.state !== 'INPROGRESS' && run.state !== 'ERROR') return { answer: await storedAnswer(services, runContext) }
  const claimed = await claimSubrun(db, clock.now(), run.id)
  if (!claimed) await clock.sleep(POLL_MS, signal)
  const current = await readSubrun(services, tenant, { flowId: run.agentflowId, run: sql`${run.id}` })
  if (!claimed) return reattach(services, current, { tenant, signal })
  const reason = failureReason(claimed)
  if (reason) {
    await failRun(services, claimed, reason)
    throw new Error(`${flow.name}: ${reason}`)
  }
  const start = continueRun(current, claimed.lease)
  return run.state === 'ERROR' ? { start, reported: usageOf(start), isRetry: true } : { start, reported: NO_USAGE }
}

const readSubrun = ({ db }: Services, tenant: Tenant, query: Omit<RunContextQuery, 'tenant' | 'version'>) =>
  readRunContext(db, { ...query, tenant, version: 'own' })

/** Throws an Error that names the flow when its run failed, after reporting what it used. */
export function subrunAnswer(
  { start, reported, isRetry }: PreparedSubrun,
  end: RunEnd,
  onFailure: FlowCall['onFailure'],
): FlowAnswer {
  const { executionId, runContext } = start
  const produced = producedBy(end.trace)
  if (end.state !== 'FINISHED' && end.state !== 'STOPPED') {
    onFailure?.(subtractUsage(produced.usage, reported))
    throw new Error(`${runContext.flow.name}: ${end.error ?? 'the run was stopped'}`)
  }
  const usage = isRetry ? subtractUsage(produced.usage, reported) : produced.usage
  const answer = { executionId, text: end.text, ...produced, usage }
  return end.state === 'FINISHED'
    ? { ...answer, state: 'FINISHED' }
    : { ...answer, state: 'STOPPED', action: end.action }
}

/** @param chain the flows from the outermost to the one that is called */
async function assertMayCall(db: Database, tenant: Tenant, chain: string[]): Promise<void> {
  const called = chain.at(-1) as string
  const isCircular = chain.indexOf(called) < chain.length - 1
  if (!isCircular && chain.length <= MAX_DEPTH) return
  const rows = await db
    .select({ id: chatflows.id, name: chatflows.name })
    .from(chatflows)
    .where(scope(db, tenant).inWorkspace(chatflows, inArray(chatflows.id, chain)))
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const path = chain.map((id) => `"${names.get(id) ?? id}"`).join(' → ')
  if (isCircular) throw new Error(`Flows may not call each other in a circle: ${path}. Take out one of the calls.`)
  throw new Error(`At most ${MAX_DEPTH} flows may run inside one another: ${path}. Take out one of the calls.`)
}

/** Returns the answer of a run that is over, or that waits for a person. */
async function storedAnswer({ db }: Services, { flow, run }: RunContext): Promise<FlowAnswer> {
  if (!run) throw new Error('The run context was read without the run')
  const { apiMessageId } = JSON.parse(run.input) as StoredCall
  const [message] = await scope(db, flow).select(chatMessages, eq(chatMessages.id, apiMessageId))
  const text = String(message?.content ?? '').trim()
  const answer = { executionId: run.id, text, ...producedBy(lastItems(run.steps)) }
  if (run.state === 'FINISHED') return { ...answer, state: 'FINISHED' }
  if (run.state !== 'STOPPED') throw new Error(`${flow.name}: ${run.error ?? 'the run was stopped'}`)
  return { ...answer, state: 'STOPPED', action: JSON.parse(run.action ?? 'null') as HumanInputAction }
}

/** Returns a run's usage, tools and artifacts, from its trace. */
function producedBy(trace: TraceItem[]): Pick<FlowAnswer, 'usage' | 'usedTools' | 'artifacts'> {
  const usedTools = trace.flatMap(({ data }) => data.output?.usedTools ?? [])
  const artifacts = trace.at(-1)?.data.output?.artifacts
  return {
    usage: sumUsage(trace.flatMap(stepUsages)) ?? NO_USAGE,
    ...(usedTools.length > 0 && { usedTools }),
    ...(artifacts && { artifacts }),
  }
}

/** Returns the last item of each path, in order of completion. */
function lastItems(steps: StepRow[]): TraceItem[] {
  const last = new Map(steps.map((row) => [row.path, row]))
  return steps.filter((row) => last.get(row.path) === row).map(({ item }) => item)
}

const usageOf = ({ done }: RunStart) => producedBy(lastItems(done)).usage

const NO_USAGE: UsageMetadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
