/** Runs a flow from its first step, or from where an interrupted run stopped, and stores what it did. */
import { errorMessage } from '#contract/errors.ts'
import type { RunEvent, RunState, TraceItem } from '#contract/events.ts'
import { run } from '../../engine/run.ts'
import type { RunOutcome, StepRow } from '../../engine/types.ts'
import { createOpenComponents } from '../../nodes/components.ts'
import type { Flows } from '../../nodes/types.ts'
import { noKnowledge } from '../../ports/knowledge.ts'
import type { Outside } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import { openCredential } from '../credentials/index.ts'
import { enterRun, leaveRun, openRunRecord, type RunRecord } from '../executions/index.ts'
import { carriedState, runInput, type StoredCall } from './call.ts'
import type { Ground } from './ground.ts'
import { withInputs } from './overrides.ts'
import { answerStatements, openingStatements } from './rows.ts'

export interface RunStart {
  executionId: string
  chatId: string
  sessionId: string
  call: StoredCall
  ground: Ground
  lease: string
  startedAt: Date
  /** The steps that an interrupted run finished; undefined for a new run. */
  done?: StepRow[]
}

export interface RunEnd {
  state: RunState
  text: string
  trace: TraceItem[]
  error?: string
}

/** Never rejects: what goes wrong is the end's `error`. Resolves when everything is stored. */
export async function runFlow(services: Services, start: RunStart, emit: (event: RunEvent) => void): Promise<RunEnd> {
  const stop = new AbortController()
  let lost: unknown
  const record = openRunRecord({
    db: services.db,
    clock: services.clock,
    executionId: start.executionId,
    lease: start.lease,
    opening: start.done ? undefined : openingStatements(services.db, start),
    onStop: () => stop.abort(new Error('The run was stopped')),
    onLost(reason) {
      lost ??= reason
      stop.abort(reason)
    },
  })
  enterRun(start.executionId, { flowId: start.ground.flow.id, chatId: start.chatId })
  try {
    const outcome = await follow(services, start, { record, signal: stop.signal, emit })
    await record.write(answerStatements(services, start, outcome))
    return outcome
  } catch (thrown) {
    console.error(`run ${start.executionId} could not be stored: ${errorMessage(lost ?? thrown)}`)
    return { state: 'ERROR', text: '', trace: [], error: NOT_STORED }
  } finally {
    record.close()
    leaveRun(start.executionId)
  }
}

const NOT_STORED =
  'What this run did could not be stored, so it was stopped here. It is taken up again within two minutes.'

interface Guide {
  record: RunRecord
  signal: AbortSignal
  emit(event: RunEvent): void
}

/** The engine's outcome. A run that was stopped keeps the text that had come until then. */
async function follow(services: Services, start: RunStart, { record, signal, emit }: Guide): Promise<RunOutcome> {
  const { ground, call } = start
  const { flow } = ground
  const outside = services.openOutside()
  let heard = ''
  const outcome = await run({
    flow: withInputs(ground.document, call.inputs),
    planKey: `${flow.id}@${flow.version} ${JSON.stringify(call.inputs)}`,
    identity: {
      executionId: start.executionId,
      workspaceId: flow.workspaceId,
      chatflowId: flow.id,
      chatId: start.chatId,
      sessionId: start.sessionId,
      apiMessageId: call.apiMessageId,
      calledBy: [],
    },
    input: runInput(call),
    pastHistory: ground.pastHistory.filter((turn) => turn.content.trim() !== ''),
    variables: { ...ground.variables, ...call.vars },
    carriedState: carriedState(call, ground),
    done: start.done ?? [],
    log: record,
    openComponents: openComponents(services, ground, outside),
    ...outside,
    flows: noFlows,
    knowledge: noKnowledge,
    clock: services.clock,
    signal,
    emit(event) {
      if (event.event === 'token') heard += event.data
      emit(event)
    },
  })
  return outcome.state === 'TERMINATED' && heard !== '' ? { ...outcome, text: heard } : outcome
}

const noFlows: Flows = {
  run: () => Promise.reject(new Error('A flow cannot run another one yet')),
  resume: () => Promise.reject(new Error('A flow cannot run another one yet')),
}

function openComponents(
  { cipher, clock }: Services,
  { credentials, wrappedKey }: Ground,
  { egress, sandbox }: Outside,
) {
  return createOpenComponents({
    async readCredential(id) {
      const row = credentials.get(id)
      if (!row) throw new Error('The chosen credential does not exist in this workspace. Choose another one.')
      return openCredential(row, wrappedKey, cipher)
    },
    egress,
    sandbox,
    flows: noFlows,
    clock,
  })
}
