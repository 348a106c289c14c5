/** Reads what a run needs in one round trip: the flow, its workspace's key, variables and credentials, and the session's history. */

import type { Callers, CallersKey } from '#contract/access/callers.ts'
import { type RunSettings, readRunSettings } from '#contract/chatflows/chatbot-config.ts'
import { type ApiConfig, readApiConfig } from '#contract/chatflows/flow-settings.ts'
import { HeddleError } from '#contract/errors.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { storedUploads } from '#contract/predictions/uploads.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { type LimitSettings, noLimits } from '#contract/runs/limits.ts'
import type { Database } from '#db/client.ts'
import type { credentials, executions } from '#db/schema/index.ts'
import type { StepRow } from '../../engine/types.ts'
import { flowNotFound } from '../errors.ts'
import type { VariableRow } from '../inputs/variables.ts'
import type { Statement } from '../records/run-record.ts'
import { restoreTexts } from '../records/run-texts.ts'
import { cachedDocuments, editionOf, type FlowEdition, markUsed, parseAndKeep } from './flow-cache.ts'
import { type ContextStatements, type RunContextQuery, statementsOf } from './run-context-queries.ts'

type RunRow = typeof executions.$inferSelect

export interface RunContext {
  flow: {
    id: string
    name: string
    workspaceId: string
    type: FlowType
    /** Tells this flow from an earlier one with the same id. */
    incarnation: string
    /** The version that runs. */
    version: number
    apikeyid: string | null
    callers: Callers
    apiConfig: ApiConfig
    /** Sealed, as `chatflows` has it. */
    conversationSecret: string | null
    chatbotConfig: string | null
    /** Read from `chatbotConfig`. */
    settings: RunSettings
    followUpPrompts: string | null
    textToSpeech: string | null
  }
  limits: LimitSettings
  /** What calls of anonymous callers have stored in the workspace, until that second since 1970. */
  anonymousRecords?: { bytes: number; windowEnd: number }
  /** What runs and messages of the workspace hold. */
  recordsSize: number
  hasOrphans: boolean
  document: FlowDocument
  wrappedKey: string
  variables: VariableRow[]
  credentials: Map<string, typeof credentials.$inferSelect>
  /** Oldest first. */
  pastHistory: ChatTurn[]
  /** The form as JSON. */
  lastRun?: { form: string | null; flowState: Record<string, unknown> | null }
  key?: CallersKey
  /** The run that is resumed, with its log. */
  run?: Omit<RunRow, 'inputTexts'> & { steps: StepRow[] }
}

/** Throws `not_found` when there is no such flow (in the tenant's workspace). */
export async function readRunContext(db: Database, query: RunContextQuery): Promise<RunContext> {
  const { statements, read } = runContextRead(db, query)
  return read(await db.batch(statements))
}

type Rows = { [Name in keyof ContextStatements]: Awaited<ContextStatements[Name]> }

/** Returns the statements of `readRunContext`, to be run in a batch with others. `read` throws as it does. */
export function runContextRead(db: Database, query: RunContextQuery) {
  const cached = cachedDocuments(query.flowId)
  const statements = statementsOf(db, query, [...cached.keys()])
  const names = Object.keys(statements)
  return {
    statements: Object.values(statements) as unknown as [Statement, ...Statement[]],
    read(answers: readonly unknown[]) {
      const rows = Object.fromEntries(names.map((name, index) => [name, answers[index]])) as Rows
      return buildRunContext(query, rows, cached)
    },
  }
}

function buildRunContext(query: RunContextQuery, rows: Rows, cached: Map<string, FlowDocument>): RunContext {
  const [row] = rows.flows
  if (!row) throw flowNotFound(query.flowId)
  const { wrappedKey, flowData, flowLimits, workspaceLimits, hasOrphans, ...counted } = row
  const { anonymousBytes, anonymousWindowEnd, recordsSize, ...flow } = counted
  const [run] = rows.runs ?? []
  return {
    flow: { ...flow, apiConfig: readApiConfig(flow.apiConfig), settings: readRunSettings(flow.chatbotConfig) },
    limits: { flow: flowLimits ?? noLimits, workspace: workspaceLimits ?? noLimits },
    ...(anonymousBytes !== null &&
      anonymousWindowEnd !== null && { anonymousRecords: { bytes: anonymousBytes, windowEnd: anonymousWindowEnd } }),
    recordsSize,
    hasOrphans: Boolean(hasOrphans),
    document: requireDocument(flow, flowData, cached),
    wrappedKey,
    variables: rows.variables,
    credentials: new Map(rows.credentials.map((credential) => [credential.id, credential])),
    pastHistory: (rows.messages ?? []).reverse().map(parseTurn),
    lastRun: rows.lastRuns?.[0],
    key: rows.keys?.[0],
    run: run && wholeRun(run, rows),
  }
}

/** Returns the run with its log, with its long texts back in their places. */
function wholeRun({ inputTexts, ...run }: RunRow, { steps = [], texts = [] }: Rows): NonNullable<RunContext['run']> {
  const byHash = new Map(texts.map(({ hash, text }) => [hash, text]))
  return {
    ...run,
    input: inputTexts ? JSON.stringify(restoreTexts(JSON.parse(run.input), inputTexts, byHash)) : run.input,
    steps: steps.map(({ texts: refs, ...row }) => ({ ...row, item: restoreTexts(row.item, refs, byHash) })),
  }
}

/** @param flowData null when this version is cached, or no longer kept */
function requireDocument(flow: FlowEdition, flowData: string | null, cached: Map<string, FlowDocument>): FlowDocument {
  if (flowData !== null) return parseAndKeep(flow, flowData)
  markUsed(flow)
  const document = cached.get(editionOf(flow))
  if (!document) throw new HeddleError('conflict', `Version ${flow.version} of this flow is no longer kept`)
  return document
}

type MessageRow = { role: 'userMessage' | 'apiMessage'; content: string; fileUploads: string | null }

function parseTurn({ role, content, fileUploads }: MessageRow): ChatTurn {
  const files = storedUploads(fileUploads && JSON.parse(fileUploads))
  return {
    role: role === 'userMessage' ? 'user' : 'assistant',
    content,
    ...(files.length > 0 && { additional_kwargs: { fileUploads: files } }),
  }
}
