/** Everything that a run stands on, in one round trip: the flow, its workspace's key, variables, credentials, and what was said before. */
import type { SQL } from 'drizzle-orm'
import type { FlowType } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import type { ChatTurn } from '#contract/events.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type LimitSettings, noLimits } from '#contract/limits.ts'
import { keptUploads } from '#contract/uploads.ts'
import type { Database } from '#db/client.ts'
import type { credentials, executions, variables } from '#db/schema/index.ts'
import type { Tenant } from '#db/scope.ts'
import type { StepRow } from '../engine/types.ts'
import { cachedDocuments, editionOf, type FlowEdition, markUsed, parseAndKeep } from './flow-cache.ts'
import { statementsOf } from './run-context-queries.ts'

export interface RunContextQuery {
  flowId: string
  /** Public calls have none: the flow's own row says whose it is. */
  tenant?: Tenant
  /** What runs: what is being edited, what callers get (the same until it is published), or what `run` began with. */
  version: 'draft' | 'published' | 'own'
  /** Of a new run. Absent: a new session, with nothing to remember. */
  sessionId?: string
  /** The id of a run that goes on; it remembers what its session had said when it began. Null in SQL: there is none. */
  run?: SQL
  /** Hash of the key that the call carries. */
  keyHash?: string
  /** Look for runs of this flow whose worker is gone by then. */
  orphansAt?: Date
}

export type RunRow = typeof executions.$inferSelect

export interface RunContext {
  flow: {
    id: string
    name: string
    workspaceId: string
    type: FlowType
    /** Tells this flow from one that had its id before. */
    incarnation: string
    /** The one that runs. */
    version: number
    apikeyid: string | null
    apiConfig: string | null
    chatbotConfig: string | null
  }
  limits: LimitSettings
  hasOrphans: boolean
  document: FlowDocument
  wrappedKey: string
  variables: Pick<typeof variables.$inferSelect, 'name' | 'value' | 'type'>[]
  credentials: Map<string, typeof credentials.$inferSelect>
  /** Oldest first. */
  pastHistory: ChatTurn[]
  lastRun?: { input: string; flowState: Record<string, unknown> | null }
  key?: { id: string; workspaceId: string }
  /** The run that goes on, with its log. */
  run?: RunRow & { steps: StepRow[] }
}

/** Throws `not_found` when there is no such flow (in the tenant's workspace). */
export async function readRunContext(db: Database, query: RunContextQuery): Promise<RunContext> {
  const { statements, read } = runContextRead(db, query)
  return read([...(await db.batch(statements))])
}

type Statements = ReturnType<typeof statementsOf>
type Rows = { -readonly [Index in keyof Statements]: Awaited<Statements[Index]> }

/** What `readGround` runs, for those who have more to read in the same round trip. `read` throws as it does. */
export function runContextRead(db: Database, query: RunContextQuery) {
  const cached = cachedDocuments(query.flowId)
  return {
    statements: statementsOf(db, query, [...cached.keys()]),
    read: (rows: unknown[]) => runContextOf(query, rows as unknown as Rows, cached),
  }
}

function runContextOf(query: RunContextQuery, rows: Rows, cached: Map<string, FlowDocument>): RunContext {
  const [flows, variableRows, credentialRows, messages, runs, keys, goingOn, steps] = rows
  const [row] = flows
  if (!row) throw noSuchFlow(query.flowId)
  const { wrappedKey, flowData, flowLimits, workspaceLimits, hasOrphans, ...flow } = row
  return {
    flow,
    limits: { flow: flowLimits ?? noLimits, workspace: workspaceLimits ?? noLimits },
    hasOrphans: Boolean(hasOrphans),
    document: documentOf(flow, flowData, cached),
    wrappedKey,
    variables: variableRows,
    credentials: new Map(credentialRows.map((credential) => [credential.id, credential])),
    pastHistory: messages.reverse().map(turnOf),
    lastRun: runs[0],
    key: keys[0],
    run: goingOn[0] && { ...goingOn[0], steps },
  }
}

export const noSuchFlow = (flowId: string) => new HeddleError('not_found', `Flow ${flowId} not found`)

/** @param flowData null when the database was told that this version is cached, or when it is not kept any more */
function documentOf(flow: FlowEdition, flowData: string | null, cached: Map<string, FlowDocument>): FlowDocument {
  if (flowData !== null) return parseAndKeep(flow, flowData)
  markUsed(flow)
  const document = cached.get(editionOf(flow))
  if (!document) throw new HeddleError('conflict', `Version ${flow.version} of this flow is not kept any more`)
  return document
}

type Said = { role: 'userMessage' | 'apiMessage'; content: string; fileUploads: string | null }

function turnOf({ role, content, fileUploads }: Said): ChatTurn {
  const files = keptUploads(fileUploads && JSON.parse(fileUploads))
  return {
    role: role === 'userMessage' ? 'user' : 'assistant',
    content,
    ...(files.length > 0 && { additional_kwargs: { fileUploads: files } }),
  }
}
