/** Runs a flow from its first step, or from where a run stopped, and stores the result. */
import { errorMessage } from '#contract/errors.ts'
import type { RunEvent } from '#contract/runs/events.ts'
import { limitMessage, lowerLimits, type RunLimits } from '#contract/runs/limits.ts'
import { type CredentialUse, createCredentialUse } from '../components/credential-use.ts'
import { run } from '../engine/run.ts'
import type { RunOutcome } from '../engine/types.ts'
import { metrics } from '../ports/metrics/metrics.ts'
import type { FlowAnswer, FlowCall, Flows, RequestPorts } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { startPostProcessing } from './post-process.ts'
import type { RunEnd } from './records/run-end.ts'
import { createRunRecord, type RunRecord, type Statement } from './records/run-record.ts'
import { answerStatements } from './records/run-statements.ts'
import { sealing } from './records/sealing.ts'
import { createRunRequest } from './run-request.ts'
import type { RunStart } from './run-start.ts'
import { type RunningRun, recordEvent, registerRun, unregisterRun } from './running.ts'
import { type CallingRun, callerOf, prepareAnswer, prepareSubrun, type Subrun, subrunAnswer } from './subflows.ts'
import { UsageBudget } from './usage-budget.ts'

export interface RunOptions {
  emit(event: RunEvent): void
  /** True if `emit` passes tokens on as they come. */
  streaming?: boolean
  /** Stops the run, as a cancellation of its chat does. */
  signal?: AbortSignal
  /** Shared with the run that calls this one; by default the run opens its own. */
  ports?: RequestPorts
  /** Statements to write in the same batch as the run's end. */
  closing?(outcome: RunOutcome): Statement[]
}

/** Resolves when everything is stored. Never rejects: a failure is the end's `error`. */
export async function runFlow(services: Services, start: RunStart, options: RunOptions): Promise<RunEnd> {
  const stop = new AbortController()
  const onStop = () => stop.abort(new Error('The run was stopped'))
  let lost: unknown
  const record = createRunRecord({
    db: services.db,
    clock: services.clock,
    executionId: start.executionId,
    lease: start.lease,
    opening: start.opening,
    opensLate: start.opensLate,
    secondsBefore: start.secondsBefore,
    seal: sealing(services, start.runContext.wrappedKey).seal,
    onStop,
    onLost(reason) {
      lost ??= reason
      stop.abort(reason)
    },
  })
  options.signal?.addEventListener('abort', onStop, { once: true })
  const running = registerRun(start.executionId, {
    ...{ flowId: start.runContext.flow.id, chatId: start.chatId },
    now: services.clock.now(),
  })
  metrics.runsStarted.add(1, {})
  try {
    if (options.signal?.aborted) onStop()
    const used = createCredentialUse(services, start.runContext.flow)
    const outcome = await execute(services, start, { ...options, record, running, used, signal: stop.signal })
    const closing = [...used.statements(), ...(options.closing?.(outcome) ?? [])]
    const answer = answerStatements(services, start, { ...outcome, isOpen: record.isOpen() })
    await record.write([...answer, ...closing])
    metrics.runsEnded.add(1, { state: outcome.state })
    return outcome
  } catch (error) {
    metrics.runsEnded.add(1, { state: 'not_stored' })
    console.error(`run ${start.executionId} could not be stored: ${errorMessage(lost ?? error)}`)
    return {
      state: 'ERROR',
      text: '',
      trace: [],
      error: record.isOpen() ? NOT_STORED : NEVER_STORED,
      isNotStored: true,
    }
  } finally {
    options.signal?.removeEventListener('abort', onStop)
    record.close()
    unregisterRun(start.executionId)
  }
}

const NOT_STORED = 'This run could not be stored, so it was stopped here. It will be resumed within two minutes.'
const NEVER_STORED = 'This run could not be stored, so it was stopped. Send the question again.'

interface Execution extends RunOptions {
  record: RunRecord
  running: RunningRun
  used: CredentialUse
  signal: AbortSignal
}

/** Returns the engine's outcome. A cancelled run keeps the text that it streamed. */
async function execute(
  services: Services,
  start: RunStart,
  {
    record,
    running,
    used,
    signal,
    streaming,
    emit,
    ports = services.openOutside(start.runContext.flow.workspaceId),
  }: Execution,
): Promise<RunOutcome> {
  const { runContext, caller } = start
  const limits = limitsOf(start)
  const budget = new UsageBudget(services.clock, start)
  const processing = startPostProcessing(start, emit)
  const flows = openSubflows(services, { start, record, ports, limitsLeft: () => budget.leftOf(limits) })
  const request = await createRunRequest(services, start, {
    record,
    budget,
    limits,
    flows,
    ports,
    signal,
    streaming,
    onCredential: used.add,
    emit(event) {
      if (event.event === 'token') record.openSoon()
      if (processing) return processing.emit(event)
      recordEvent(running, event)
      emit(event)
    },
  })
  const outcome = await run(request)
  if (outcome.limit) return { ...outcome, error: limitMessage(outcome.limit, runContext.limits, caller?.limitsLeft) }
  if (processing) return processing.finish(outcome, ports.sandbox)
  return outcome.state === 'TERMINATED' && running.text !== '' ? { ...outcome, text: running.text } : outcome
}

/** Returns the lowest of the limits of the flow, the workspace and the run that calls this one. */
function limitsOf({ runContext, caller }: RunStart): RunLimits {
  const own = lowerLimits(runContext.limits.flow, runContext.limits.workspace)
  return caller ? lowerLimits(own, caller.limitsLeft) : own
}

type CallOptions = Pick<FlowCall, 'signal' | 'onFailure'>

/** Returns the flows that this run may call. Its methods throw Errors that name the flow. */
function openSubflows(services: Services, calling: CallingRun & { ports: RequestPorts }): Flows {
  const { ports } = calling
  const finish = async (subrun: Subrun, { signal, onFailure }: CallOptions): Promise<FlowAnswer> => {
    if ('answer' in subrun) return subrun.answer
    const start = { ...subrun.start, caller: callerOf(calling) }
    const end = await runFlow(services, start, { emit() {}, signal, ports })
    return subrunAnswer(subrun, end, onFailure)
  }
  return {
    run: async (call) => finish(await prepareSubrun(services, calling, call), call),
    resume: async (call) => finish(await prepareAnswer(services, calling, call), call),
  }
}
