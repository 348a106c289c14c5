/** Builds the engine's request for a run. */
import type { RunEvent } from '#contract/runs/events.ts'
import type { RunLimits } from '#contract/runs/limits.ts'
import { openKnowledge } from '../components/knowledge/knowledge.ts'
import { credentialReader, openComponents } from '../components/open-components.ts'
import { openOwnTools } from '../components/own-tools.ts'
import { openTables } from '../components/query-rows.ts'
import { openSecretVariables, secretTexts } from '../components/secret-variables.ts'
import { createRedactor } from '../engine/redactor.ts'
import type { RunRequest, StepLog } from '../engine/types.ts'
import type { CredentialRow } from '../oauth/stored-tokens.ts'
import { metrics } from '../ports/metrics/metrics.ts'
import type { Flows, RequestPorts } from '../ports/types.ts'
import type { Services } from '../services.ts'

import { requireCompiler } from './compilers.ts'
import { editionOf } from './context/flow-cache.ts'
import { carriedState, runInput } from './inputs/call.ts'
import { readsVariables } from './inputs/reads-variables.ts'
import { attachmentText, openFiles } from './inputs/run-files.ts'
import { resolveVariables } from './inputs/variables.ts'
import { sealing } from './records/sealing.ts'
import { openUpsertRecords } from './records/upsert-records.ts'
import type { RunStart } from './run-start.ts'
import type { UsageBudget } from './usage-budget.ts'

interface RequestOptions {
  record: StepLog
  budget: UsageBudget
  limits: RunLimits
  flows: Flows
  ports: RequestPorts
  signal: AbortSignal
  streaming?: boolean
  emit(event: RunEvent): void
  /** Told of each credential that the run opens. */
  onCredential(row: CredentialRow): void
}

export async function createRunRequest(
  services: Services,
  start: RunStart,
  { record, budget, limits, flows, ports, signal, streaming, emit, onCredential }: RequestOptions,
): Promise<RunRequest> {
  const { runContext, call, caller } = start
  const { flow, document } = runContext
  const files = openFiles(services, flow, { flowId: flow.id, fresh: start.fresh })
  const attachment = await attachmentText(call.uploads ?? [], files)
  const { variables, secrets } = await openVariables(services, start)
  const onSecrets = (values: unknown[]) => secrets.add(values)
  const { egress } = ports
  const owned = { ...runContext, workspaceId: flow.workspaceId }
  const readCredential = credentialReader(services, owned, { egress, onRead: onCredential, onSecrets })
  const own = openOwnTools(services, flow, { egress, onSecrets })
  return {
    flow: document,
    compile: requireCompiler(flow.type),
    planKey: `${flow.id} ${editionOf(flow)}`,
    identity: {
      executionId: start.executionId,
      workspaceId: flow.workspaceId,
      chatflowId: flow.id,
      chatId: start.chatId,
      sessionId: start.sessionId,
      apiMessageId: call.apiMessageId,
      calledBy: caller?.calledBy ?? [],
    },
    input: runInput(call, attachment),
    pastHistory: runContext.pastHistory.filter((turn) => turn.content.trim() !== '' || turn.additional_kwargs),
    variables,
    carriedState: carriedState(call, runContext),
    done: await sealing(services, runContext.wrappedKey).opened(start.done),
    log: {
      append(row) {
        metrics.steps.add(1, { status: row.item.status })
        budget.add(row)
        record.append(row)
      },
      barrier: record.barrier,
    },
    openComponents: openComponents(services, { ...ports, flows, readCredential, own }),
    secrets,
    ...ports,
    flows,
    files,
    records: openUpsertRecords(services, flow, flow.id),
    tables: openTables(services.db),
    knowledge: openKnowledge(services, flow, { ...ports, onSecrets }),
    clock: services.clock,
    signal,
    limits,
    secondsBefore: start.secondsBefore,
    overrides: call.inputs,
    edits: call.edits,
    streaming,
    emit,
  }
}

/** Returns the variables of the run, and what removes the secret ones from all that leaves it. */
async function openVariables({ config, cipher }: Services, { runContext, call }: RunStart) {
  const mayRead = readsVariables(runContext.document)
  const stored = mayRead ? await openSecretVariables(runContext.variables, { ...runContext, cipher }) : new Map()
  const variables = resolveVariables(runContext.variables, {
    bound: config.runtimeVariables,
    asked: call.vars,
    secrets: stored,
  })
  const secrets = createRedactor()
  secrets.add(secretTexts(stored.values()))
  return { variables, secrets }
}
