/** Everything that a run stands on, in one round trip: the flow, its workspace's key, variables, credentials, and what was said before. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { FlowType } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import type { ChatTurn } from '#contract/events.ts'
import type { FlowDocument } from '#contract/flow/document.ts'
import { type LimitSettings, noLimits } from '#contract/limits.ts'
import type { Database } from '#db/client.ts'
import {
  apikeys,
  chatflows,
  chatMessages,
  credentials,
  executionSteps,
  executions,
  flowVersions,
  variables,
  workspaces,
} from '#db/schema/index.ts'
import { ownerOfFlow, scope, type Tenant } from '#db/scope.ts'
import type { StepRow } from '../../engine/types.ts'
import { isExpired } from '../executions/index.ts'
import { cachedDocuments, markUsed, parseAndKeep } from './flow-cache.ts'
import { ofRun, pastOf } from './ground-sql.ts'

export interface GroundQuery {
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

export interface Ground {
  flow: {
    id: string
    name: string
    workspaceId: string
    type: FlowType
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
  variables: Record<string, string>
  credentials: Map<string, typeof credentials.$inferSelect>
  /** Oldest first. */
  pastHistory: ChatTurn[]
  lastRun?: { input: string; flowState: Record<string, unknown> | null }
  key?: { id: string; workspaceId: string }
  /** The run that goes on, with its log. */
  run?: RunRow & { steps: StepRow[] }
}

/** Messages of a session that are read; older ones are forgotten. */
const MAX_TURNS = 200
const MAX_VARIABLES = 1000

/** Throws `not_found` when there is no such flow (in the tenant's workspace). */
export async function readGround(db: Database, query: GroundQuery): Promise<Ground> {
  const { statements, read } = groundRead(db, query)
  return read([...(await db.batch(statements))])
}

type Statements = ReturnType<typeof statementsOf>
type Rows = { -readonly [Index in keyof Statements]: Awaited<Statements[Index]> }

/** What `readGround` runs, for those who have more to read in the same round trip. `read` throws as it does. */
export function groundRead(db: Database, query: GroundQuery) {
  const cached = cachedDocuments(query.flowId)
  return {
    statements: statementsOf(db, query, [...cached.keys()]),
    read: (rows: unknown[]) => groundOf(query, rows as unknown as Rows, cached),
  }
}

function statementsOf(db: Database, query: GroundQuery, cached: number[]) {
  return [
    flowQuery(db, query, cached),
    ...workspaceQueries(db, query),
    ...sessionQueries(db, query),
    keyQuery(db, query.keyHash),
    ...runQueries(db, query),
  ] as const
}

function groundOf(query: GroundQuery, rows: Rows, cached: Map<number, FlowDocument>): Ground {
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
    variables: Object.fromEntries(variableRows.map(({ name, value }) => [name, value])),
    credentials: new Map(credentialRows.map((credential) => [credential.id, credential])),
    pastHistory: messages.reverse().map(turnOf),
    lastRun: runs[0],
    key: keys[0],
    run: goingOn[0] && { ...goingOn[0], steps },
  }
}

export const noSuchFlow = (flowId: string) => new HeddleError('not_found', `Flow ${flowId} not found`)

/** @param flowData null when the database was told that this version is cached, or when it is not kept any more */
function documentOf(
  { id, version }: { id: string; version: number },
  flowData: string | null,
  cached: Map<number, FlowDocument>,
): FlowDocument {
  if (flowData !== null) return parseAndKeep(id, version, flowData)
  markUsed(id, version)
  const document = cached.get(version)
  if (!document) throw new HeddleError('conflict', `Version ${version} of this flow is not kept any more`)
  return document
}

/** The version that runs, of a row of `chatflows`. */
function versionOf({ version, run }: GroundQuery): SQL<number> {
  const draft = sql<number>`${chatflows.version}`
  if (version === 'draft') return draft
  const published = sql<number>`coalesce(${chatflows.publishedVersion}, ${draft})`
  return version === 'own' && run ? sql`coalesce(${ofRun(run, executions.flowVersion)}, ${published})` : published
}

/** What that version holds. Saves that leave the flow data alone give a flow higher versions that need no row. */
function flowDataOf(query: GroundQuery): SQL<string | null> {
  const kept = sql`(
    select ${flowVersions.flowData} from ${flowVersions}
    where ${flowVersions.flowId} = ${chatflows.id} and ${flowVersions.version} <= ${versionOf(query)}
    order by ${flowVersions.version} desc limit 1
  )`
  return sql`case when ${versionOf(query)} = ${chatflows.version} then ${chatflows.flowData} else ${kept} end`
}

function flowQuery(db: Database, query: GroundQuery, cached: number[]) {
  const { flowId, tenant, orphansAt } = query
  const version = versionOf(query)
  const known = sql.join(
    [0, ...cached].map((each) => sql`${each}`),
    sql`, `,
  )
  const orphans = db
    .select({ id: executions.id })
    .from(executions)
    .where(and(orphansAt && isExpired(orphansAt), eq(executions.agentflowId, flowId)))
  return db
    .select({
      id: chatflows.id,
      name: chatflows.name,
      workspaceId: chatflows.workspaceId,
      type: chatflows.type,
      version,
      apikeyid: chatflows.apikeyid,
      apiConfig: chatflows.apiConfig,
      chatbotConfig: chatflows.chatbotConfig,
      flowLimits: chatflows.runLimits,
      workspaceLimits: workspaces.runLimits,
      wrappedKey: workspaces.wrappedKey,
      hasOrphans: orphansAt ? sql<number>`exists ${orphans}` : sql<number>`0`,
      flowData: sql<string | null>`case when ${version} in (${known}) then null else ${flowDataOf(query)} end`,
    })
    .from(chatflows)
    .innerJoin(workspaces, eq(workspaces.id, chatflows.workspaceId))
    .where(and(eq(chatflows.id, flowId), tenant && eq(chatflows.workspaceId, tenant.workspaceId)))
}

/** Of the credentials only those that the flow names. */
function workspaceQueries(db: Database, query: GroundQuery) {
  const rows = scope(db, query.tenant ?? ownerOfFlow(query.flowId))
  const flowData = sql`(select ${flowDataOf(query)} from ${chatflows} where ${chatflows.id} = ${query.flowId})`
  return [
    rows.select(variables).limit(MAX_VARIABLES),
    rows.select(credentials, sql`instr(${flowData}, ${credentials.id}) > 0`),
  ] as const
}

function sessionQueries(db: Database, query: GroundQuery) {
  const rows = scope(db, query.tenant ?? ownerOfFlow(query.flowId))
  const past = pastOf(query)
  return [
    db
      .select({ role: chatMessages.role, content: chatMessages.content })
      .from(chatMessages)
      .where(
        rows.inWorkspace(
          chatMessages,
          past(eq(chatMessages.chatflowid, query.flowId), {
            session: chatMessages.sessionId,
            date: chatMessages.createdDate,
            run: chatMessages.executionId,
          }),
        ),
      )
      .orderBy(desc(chatMessages.createdDate), sql`rowid desc`)
      .limit(MAX_TURNS),
    db
      .select({ input: executions.input, flowState: executions.flowState })
      .from(executions)
      .where(
        rows.inWorkspace(
          executions,
          past(eq(executions.agentflowId, query.flowId), {
            session: executions.sessionId,
            date: executions.createdDate,
            run: executions.id,
          }),
        ),
      )
      .orderBy(desc(executions.createdDate), sql`rowid desc`)
      .limit(1),
  ] as const
}

function keyQuery(db: Database, keyHash: string | undefined) {
  return db
    .select({ id: apikeys.id, workspaceId: apikeys.workspaceId })
    .from(apikeys)
    .where(keyHash ? eq(apikeys.keyHash, keyHash) : sql`false`)
}

/** The run that goes on, when it is one of this flow. */
function runQueries(db: Database, { flowId, run }: GroundQuery) {
  const isRun = run ? and(eq(executions.id, sql`(${run})`), eq(executions.agentflowId, flowId)) : sql`false`
  const id = db.select({ id: executions.id }).from(executions).where(isRun)
  return [
    db.select().from(executions).where(isRun),
    db
      .select()
      .from(executionSteps)
      .where(run ? eq(executionSteps.executionId, sql`${id}`) : sql`false`)
      .orderBy(executionSteps.seq),
  ] as const
}

function turnOf({ role, content }: { role: 'userMessage' | 'apiMessage'; content: string }): ChatTurn {
  return { role: role === 'userMessage' ? 'user' : 'assistant', content }
}
