/** Flows that a run calls: each is a run of its own in the same request, found again by the key of the call. */

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { HumanInputAction, TraceItem, UsageMetadata } from '#contract/events.ts'
import type { RunLimits } from '#contract/limits.ts'
import { predictionSchema } from '#contract/predictions.ts'
import { stepUsages, subtractUsage, sumUsage } from '#contract/usage.ts'
import type { Database } from '#db/client.ts'
import { chatflows, chatMessages, executions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { StepRow } from '../engine/types.ts'
import type { FlowAnswer, FlowCall, Flows } from '../nodes/types.ts'
import type { RequestPorts } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { completeCall, type StoredCall, sessionOf } from './call.ts'
import { deterministicId } from './deterministic-id.ts'
import { failRun, failureReason } from './fail-run.ts'
import { claimSubrun } from './orphans.ts'
import { findPendingInput } from './pending-inputs.ts'
import { answerPendingInput } from './resume.ts'
import { type RunContext, type RunContextQuery, readRunContext } from './run-context.ts'
import type { RunEnd, RunFlow } from './run-flow.ts'
import type { RunRecord } from './run-record.ts'
import { type Caller, continueRun, createRun, type RunStart } from './run-start.ts'
import { openingStatements } from './run-statements.ts'

/** Flows that may run inside one another, the outermost included. */
const MAX_DEPTH = 8
const LOOK_AGAIN_MS = 500

type Asked = Pick<FlowCall, 'signal' | 'onFailure'>

export interface CallingRun {
  start: RunStart
  calledBy: string[]
  outside: RequestPorts
  record: RunRecord
  runFlow: RunFlow
  /** What the calling run may still use. */
  limitsLeft(): RunLimits
}

/** The port of one run. Its methods throw Errors that name the flow. */
export function openSubflows(services: Services, calling: CallingRun): Flows {
  const { db, clock } = services
  const { flow } = calling.start.runContext
  const chain = [...calling.calledBy, flow.id]

  const read = (query: Omit<RunContextQuery, 'tenant' | 'version'>) =>
    readRunContext(db, { ...query, tenant: flow, version: 'own' })

  /** @param counted what the calling step was told before */
  async function go(start: RunStart, { signal, onFailure }: Asked, counted = NOTHING): Promise<FlowAnswer> {
    const caller: Caller = {
      executionId: calling.start.executionId,
      calledBy: chain,
      limitsLeft: calling.limitsLeft(),
    }
    const { outside } = calling
    const end = await calling.runFlow(services, { ...start, caller }, { emit: () => {}, signal, outside })
    if (end.state !== 'FINISHED' && end.state !== 'STOPPED')
      onFailure?.(subtractUsage(tracedBy(end.trace).usage, counted))
    return answerOf(start, end)
  }

  /** A run that was called before: what it answered, or the rest of it when its worker is gone. */
  async function takeUp(runContext: RunContext, asked: Asked): Promise<FlowAnswer> {
    const { run } = runContext
    if (!run) throw new Error(`${runContext.flow.name}: its run was deleted`)
    if (run.state !== 'INPROGRESS' && run.state !== 'ERROR') return storedAnswer(services, runContext)
    const claimed = await claimSubrun(db, clock.now(), run.id)
    if (!claimed) await clock.sleep(LOOK_AGAIN_MS, asked.signal)
    const current = await read({ flowId: run.agentflowId, run: sql`${run.id}` })
    if (!claimed) return takeUp(current, asked)
    const reason = failureReason(claimed)
    if (!reason) {
      const start = continueRun(current, claimed.lease)
      const counted = run.state === 'ERROR' ? usedBefore(start) : NOTHING
      const answer = await go(start, asked, counted)
      return { ...answer, usage: subtractUsage(answer.usage, counted) }
    }
    await failRun(services, claimed, reason)
    throw new Error(`${runContext.flow.name}: ${reason}`)
  }

  return {
    async run({ flowId, question, overrideConfig, key, ...asked }) {
      await assertMayCall(db, flow, [...chain, flowId])
      const executionId = await deterministicId(flow, `run ${key}`)
      // One for each chat of the calling flow: nobody who talks to the other flow directly is in it.
      const chatId = await deterministicId(flow, `chat ${calling.start.chatId} ${flow.id}`)
      const body = predictionSchema.parse({ question, overrideConfig, chatId })
      const { sessionId } = sessionOf(body)
      const runContext = await read({ flowId, sessionId, run: sql`${executionId}` })
      if (runContext.run) return takeUp(runContext, asked)
      const call = completeCall(body, runContext, 'EXTERNAL')
      const start = createRun(services, { executionId, chatId, sessionId, call, runContext })
      await calling.record.barrier()
      const origin = { parentExecutionId: calling.start.executionId }
      return go({ ...start, opening: openingStatements(db, start, origin) }, asked)
    },

    async resume({ executionId, actionId, answer, ...asked }) {
      const mine = and(eq(executions.id, executionId), eq(executions.parentExecutionId, calling.start.executionId))
      const [row] = await scope(db, flow).select(executions, mine)
      if (!row) throw new Error('The run of the flow that waited was deleted')
      const runContext = await read({ flowId: row.agentflowId as string, run: sql`${executionId}` })
      const wait =
        runContext.run?.state === 'STOPPED' ? findPendingInput(runContext.run.steps, { actionId }) : undefined
      if (!wait) return takeUp(runContext, asked)
      const start = await answerPendingInput(services, runContext, { wait, answer })
      if (!start) return takeUp(await read({ flowId: runContext.flow.id, run: sql`${executionId}` }), asked)
      return go(start, asked, usedBefore(start))
    },
  }
}

/** @param chain the flows from the outermost to the one that is called */
async function assertMayCall(db: Database, tenant: Tenant, chain: string[]): Promise<void> {
  const called = chain.at(-1) as string
  const goesInCircles = chain.indexOf(called) < chain.length - 1
  if (!goesInCircles && chain.length <= MAX_DEPTH) return
  const rows = await db
    .select({ id: chatflows.id, name: chatflows.name })
    .from(chatflows)
    .where(scope(db, tenant).inWorkspace(chatflows, inArray(chatflows.id, chain)))
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const way = chain.map((id) => `"${names.get(id) ?? id}"`).join(' → ')
  if (goesInCircles) throw new Error(`Flows may not call each other in a circle: ${way}. Take out one of the calls.`)
  throw new Error(`At most ${MAX_DEPTH} flows may run inside one another: ${way}. Take out one of the calls.`)
}

function answerOf({ runContext, executionId }: RunStart, end: RunEnd): FlowAnswer {
  const answer = { executionId, text: end.text, ...tracedBy(end.trace) }
  if (end.state === 'FINISHED') return { ...answer, state: 'FINISHED' }
  if (end.state === 'STOPPED') return { ...answer, state: 'STOPPED', action: end.action }
  throw new Error(`${runContext.flow.name}: ${end.error ?? 'the run was stopped'}`)
}

/** What a run answered that is over, or that waits for a person. */
async function storedAnswer({ db }: Services, { flow, run }: RunContext): Promise<FlowAnswer> {
  if (!run) throw new Error('The ground was read without the run')
  const { apiMessageId } = JSON.parse(run.input) as StoredCall
  const [message] = await scope(db, flow).select(chatMessages, eq(chatMessages.id, apiMessageId))
  const text = String(message?.content ?? '').trim()
  const answer = { executionId: run.id, text, ...tracedBy(traceOf(run.steps)) }
  if (run.state === 'FINISHED') return { ...answer, state: 'FINISHED' }
  if (run.state !== 'STOPPED') throw new Error(`${flow.name}: ${run.error ?? 'the run was stopped'}`)
  return { ...answer, state: 'STOPPED', action: JSON.parse(run.action ?? 'null') as HumanInputAction }
}

/** What a run used, and what it made to look at, of its trace. */
function tracedBy(trace: TraceItem[]): Pick<FlowAnswer, 'usage' | 'usedTools' | 'artifacts'> {
  const usedTools = trace.flatMap(({ data }) => data.output?.usedTools ?? [])
  const artifacts = trace.at(-1)?.data.output?.artifacts
  return {
    usage: sumUsage(trace.flatMap(stepUsages)) ?? NOTHING,
    ...(usedTools.length > 0 && { usedTools }),
    ...(artifacts && { artifacts }),
  }
}

/** Of each path what was last, in order of completion. */
function traceOf(steps: StepRow[]): TraceItem[] {
  const last = new Map(steps.map((row) => [row.path, row]))
  return steps.filter((row) => last.get(row.path) === row).map(({ item }) => item)
}

const usedBefore = ({ done }: RunStart) => tracedBy(traceOf(done)).usage

const NOTHING: UsageMetadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
