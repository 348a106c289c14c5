/** Fills a vector store of a chat flow: a run of that part of the flow, which nobody can resume and no chat shows. */
import { HeddleError } from '#contract/errors.ts'
import type { RunEvent } from '#contract/runs/events.ts'
import { limitMessage, lowerLimits } from '#contract/runs/limits.ts'
import type { FlowUpsert } from '#contract/upserts/upserts.ts'
import { createCredentialUse } from '../components/credential-use.ts'
import { compileUpsert } from '../engine/chat-plan.ts'
import { run } from '../engine/run.ts'
import type { Flows } from '../ports/types.ts'
import type { Services } from '../services.ts'
import type { Statement } from './records/run-record.ts'
import { createRunRequest } from './run-request.ts'
import type { RunStart } from './run-start.ts'
import { UsageBudget } from './usage-budget.ts'

interface UpsertRun {
  result: FlowUpsert
  /** To be written with what the upsert leaves behind. */
  statements: Statement[]
}

interface Options {
  storeId: string
  signal: AbortSignal
  emit(event: RunEvent): void
}

/** Throws `run_failed` that says what failed. */
export async function runUpsert(services: Services, start: RunStart, options: Options): Promise<UpsertRun> {
  const { storeId, signal, emit } = options
  const { flow, limits } = start.runContext
  const used = createCredentialUse(services, flow)
  const request = await createRunRequest(services, start, {
    record: unrecorded,
    budget: new UsageBudget(services.clock, start),
    limits: lowerLimits(limits.flow, limits.workspace),
    flows: noFlows,
    ports: services.openOutside(flow.workspaceId),
    signal,
    emit,
    onCredential: used.add,
  })
  const planKey = `${request.planKey} upsert ${storeId}`
  const outcome = await run({ ...request, compile: compileUpsert(storeId), planKey })
  const result = outcome.trace.find(({ nodeId }) => nodeId === storeId)?.data.output?.upsert
  if (outcome.state === 'FINISHED' && result) return { result: result as FlowUpsert, statements: used.statements() }
  const reason = outcome.limit ? limitMessage(outcome.limit, limits) : outcome.error
  throw new HeddleError('run_failed', reason ?? 'The vector store could not be filled')
}

const unrecorded = { append() {}, barrier: async () => {} }

const noFlows: Flows = {
  run: () => Promise.reject(noCalls()),
  resume: () => Promise.reject(noCalls()),
}

const noCalls = () => new Error('Flows cannot be called while documents are read')
