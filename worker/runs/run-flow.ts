/** Runs a flow from its first step, or from where a run left off, and stores what it did. */
import { errorMessage } from '#contract/errors.ts'
import type { HumanInputAction, RunEvent, RunState, TraceItem } from '#contract/events.ts'
import { type LimitName, limitMessage, lowerLimits } from '#contract/limits.ts'
import { openCredential } from '../areas/credentials/index.ts'
import { openFiles } from '../areas/files/index.ts'
import { attachmentOf } from '../areas/predictions/uploads.ts'
import { createRedactor, type Redactor } from '../engine/redactor.ts'
import { run } from '../engine/run.ts'
import type { RunOutcome } from '../engine/types.ts'
import { createOpenComponents } from '../nodes/components.ts'
import type { Flows } from '../nodes/types.ts'
import { noKnowledge } from '../ports/knowledge.ts'
import type { RequestPorts } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { carriedState, runInput } from './call.ts'
import { registerRun, unregisterRun } from './cancellation.ts'
import { editionOf } from './flow-cache.ts'
import { readsVariables } from './reads-variables.ts'
import type { RunContext } from './run-context.ts'
import { createRunRecord, type RunRecord, type Statement } from './run-record.ts'
import type { RunStart } from './run-start.ts'
import { answerStatements } from './run-statements.ts'
import { sealing } from './sealing.ts'
import { openSubflows } from './subflows.ts'
import { UsageBudget } from './usage-budget.ts'
import { variablesOf } from './variables.ts'

export interface RunEnd {
  state: RunState
  text: string
  trace: TraceItem[]
  error?: string
  limit?: LimitName
  action?: HumanInputAction
  /** What the run did could not be written; somebody else may have the run now, or will have it. */
  isNotStored?: true
}

export interface RunOptions {
  emit(event: RunEvent): void
  /** Stops the run, beside those who ask for its end by its chat. */
  signal?: AbortSignal
  /** The ways out of the request in which it runs; its own unless told. */
  outside?: RequestPorts
  /** More that is written together with the run's end. */
  closing?(outcome: RunOutcome): Statement[]
}

export type RunFlow = (services: Services, start: RunStart, surroundings: RunOptions) => Promise<RunEnd>

/** Never rejects: what goes wrong is the end's `error`. Resolves when everything is stored. */
export const runFlow: RunFlow = async (services, start, surroundings) => {
  const stop = new AbortController()
  const onStop = () => stop.abort(new Error('The run was stopped'))
  let lost: unknown
  const record = createRunRecord({
    db: services.db,
    clock: services.clock,
    executionId: start.executionId,
    lease: start.lease,
    opening: start.opening,
    secondsBefore: start.secondsBefore,
    seal: sealing(services, start.runContext.wrappedKey).seal,
    onStop,
    onLost(reason) {
      lost ??= reason
      stop.abort(reason)
    },
  })
  surroundings.signal?.addEventListener('abort', onStop, { once: true })
  registerRun(start.executionId, { flowId: start.runContext.flow.id, chatId: start.chatId })
  try {
    if (surroundings.signal?.aborted) onStop()
    const outcome = await follow(services, start, { ...surroundings, record, signal: stop.signal })
    const closing = surroundings.closing?.(outcome) ?? []
    await record.write([...answerStatements(services, start, outcome), ...closing])
    return outcome
  } catch (thrown) {
    console.error(`run ${start.executionId} could not be stored: ${errorMessage(lost ?? thrown)}`)
    return { state: 'ERROR', text: '', trace: [], error: NOT_STORED, isNotStored: true }
  } finally {
    surroundings.signal?.removeEventListener('abort', onStop)
    record.close()
    unregisterRun(start.executionId)
  }
}

const NOT_STORED =
  'What this run did could not be stored, so it was stopped here. It is taken up again within two minutes.'

interface RunControl extends RunOptions {
  record: RunRecord
  signal: AbortSignal
}

/** The engine's outcome. A run that was stopped keeps the text that had come until then. */
async function follow(
  services: Services,
  start: RunStart,
  { record, signal, emit, ...more }: RunControl,
): Promise<RunOutcome> {
  const { runContext, call, caller } = start
  const { flow } = runContext
  const outside = more.outside ?? services.openOutside()
  const ownLimits = lowerLimits(runContext.limits.flow, runContext.limits.workspace)
  const limits = caller ? lowerLimits(ownLimits, caller.limitsLeft) : ownLimits
  const spent = new UsageBudget(services.clock, start)
  const calledBy = caller?.calledBy ?? []
  const flows = openSubflows(services, {
    start,
    calledBy,
    outside,
    record,
    runFlow,
    limitsLeft: () => spent.leftOf(limits),
  })
  const files = openFiles(services.db, flow, { flowId: flow.id, fresh: start.fresh })
  const attachment = await attachmentOf(call.uploads ?? [], files)
  const variables = variablesOf(runContext.variables, { bound: services.config.runtimeVariables, asked: call.vars })
  const redactor = createRedactor()
  const values = Object.values(variables)
  if (values.length > 0 && readsVariables(runContext.document)) redactor.add(values)
  let heard = ''
  const outcome = await run({
    flow: runContext.document,
    planKey: `${flow.id} ${editionOf(flow)}`,
    identity: {
      executionId: start.executionId,
      workspaceId: flow.workspaceId,
      chatflowId: flow.id,
      chatId: start.chatId,
      sessionId: start.sessionId,
      apiMessageId: call.apiMessageId,
      calledBy,
    },
    input: runInput(call, attachment),
    pastHistory: runContext.pastHistory.filter((turn) => turn.content.trim() !== '' || turn.additional_kwargs),
    variables,
    carriedState: carriedState(call, runContext),
    done: await sealing(services, runContext.wrappedKey).opened(start.done),
    log: {
      append(row) {
        spent.add(row)
        record.append(row)
      },
      barrier: record.barrier,
    },
    openComponents: openComponents(services, runContext, { ...outside, flows, redactor }),
    redact: redactor.redact,
    ...outside,
    flows,
    files,
    knowledge: noKnowledge,
    clock: services.clock,
    signal,
    limits,
    secondsBefore: start.secondsBefore,
    overrides: call.inputs,
    edits: call.edits,
    emit(event) {
      if (event.event === 'token') heard += event.data
      emit(event)
    },
  })
  if (outcome.limit) return { ...outcome, error: limitMessage(outcome.limit, runContext.limits, caller?.limitsLeft) }
  return outcome.state === 'TERMINATED' && heard !== '' ? { ...outcome, text: heard } : outcome
}

function openComponents(
  { cipher, clock }: Services,
  { credentials, wrappedKey }: RunContext,
  { egress, sandbox, flows, redactor }: RequestPorts & { flows: Flows; redactor: Redactor },
) {
  return createOpenComponents({
    async readCredential(id) {
      const row = credentials.get(id)
      if (!row) throw new Error('The chosen credential does not exist in this workspace. Choose another one.')
      const fields = await openCredential(row, wrappedKey, cipher)
      redactor.add(Object.values(fields))
      return fields
    },
    egress,
    sandbox,
    flows,
    clock,
  })
}
