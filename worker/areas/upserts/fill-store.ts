/** Fills a vector store of a flow for a caller, and keeps what it did. */
import { HeddleError } from '#contract/errors.ts'
import { storeToUpsert, upsertedPart } from '#contract/flow/kinds/chatflow/upsert.ts'
import { factsOf, KIND_FACTS } from '#contract/flow/kinds/facts.ts'
import type { RunEvent } from '#contract/runs/events.ts'
import type { FlowUpsert, UpsertFlow } from '#contract/upserts/upserts.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import { completeCall, type StoredCall } from '../../runs/inputs/call.ts'
import { allowedInputs } from '../../runs/inputs/overrides.ts'
import type { Statement } from '../../runs/records/run-record.ts'
import { createRun } from '../../runs/run-start.ts'
import { runUpsert } from '../../runs/upsert.ts'
import type { Services } from '../../services.ts'
import { historyStatements } from './history.ts'
import { assertOverridable, inputsForFiles, type SentInputs } from './sent-files.ts'

export interface UpsertCall {
  runContext: RunContext
  body: UpsertFlow
  files: File[]
  /** Members may send files for any loader, and see what was written. */
  isMember: boolean
}

export interface Filling {
  /** Ends the upsert after what it is about to write. */
  signal: AbortSignal
  emit(event: RunEvent): void
  /** Statements that are written with the entry of the history. */
  alongside?(result: FlowUpsert): Statement[]
}

export interface OpenedUpsert {
  storeId: string
  /** Fills the store. Throws `run_failed` that says what failed. */
  fill(filling: Filling): Promise<FlowUpsert>
}

/** Throws `bad_request` that says what the flow lacks, before anything is read. */
export async function openUpsert(services: Services, call: UpsertCall): Promise<OpenedUpsert> {
  const { runContext, body, isMember } = call
  const { document } = runContext
  if (!factsOf(runContext.flow.type).fillsStores) throw refusal(NO_STORES, 'id')
  const found = storeToUpsert(document, body.stopNodeId ?? undefined)
  if ('refusal' in found) throw refusal(isMember ? found.refusal : NO_STORE, 'stopNodeId')
  const storeId = found.store.id
  const start = createRun(services, {
    executionId: crypto.randomUUID(),
    chatId: crypto.randomUUID(),
    sessionId: crypto.randomUUID(),
    call: await storedCall(call, storeId),
    runContext,
  })
  return {
    storeId,
    async fill({ alongside, ...filling }) {
      const { result, statements } = await runUpsert(services, start, { storeId, ...filling })
      const entry = historyStatements(services, runContext, { storeId, result })
      const [first, ...rest] = [...entry, ...statements, ...(alongside?.(result) ?? [])]
      if (first) await services.db.batch([first, ...rest])
      return isMember ? result : { ...result, addedDocs: [] }
    },
  }
}

async function storedCall({ runContext, body, files, isMember }: UpsertCall, storeId: string): Promise<StoredCall> {
  const { overrideConfig } = body
  const chatType = isMember ? 'INTERNAL' : 'EXTERNAL'
  const call = completeCall({ question: '', streaming: false, overrideConfig }, runContext, chatType)
  const nodes = upsertedPart(runContext.document, storeId)
  const sent = await inputsForFiles(nodes, files)
  if (!isMember) assertOverridable(sent, allowedSent(sent, runContext))
  const ids = [...new Set([...Object.keys(call.inputs), ...Object.keys(sent)])]
  return { ...call, inputs: Object.fromEntries(ids.map((id) => [id, { ...call.inputs[id], ...sent[id] }])) }
}

/** The sent inputs that the caller may override. */
function allowedSent(sent: SentInputs, { flow, document }: RunContext): SentInputs {
  const names = [...new Set(Object.values(sent).flatMap((values) => Object.keys(values)))]
  const asked = names.map((name) => {
    const byNode = Object.entries(sent).filter(([, values]) => Object.hasOwn(values, name))
    return [name, Object.fromEntries(byNode.map(([id, values]) => [id, values[name]]))]
  })
  return allowedInputs(Object.fromEntries(asked), flow.apiConfig.overrideConfig, document.nodes)
}

const FILLED = Object.values(KIND_FACTS).filter(({ fillsStores }) => fillsStores)
const NO_STORES = `Only ${FILLED.map(({ label }) => `${label.toLowerCase()}s`).join(' and ')} have vector stores to fill`

/** What the flow is made of stays with its workspace. */
const NO_STORE = 'Send the id of a vector store of this flow that has documents connected'

const refusal = (message: string, field: string) => new HeddleError('bad_request', message, { field })
