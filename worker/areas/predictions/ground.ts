/** Everything that a run stands on, in one round trip: the flow, its workspace's key, variables, credentials, and what was said before. */
import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { FlowType } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import type { ChatTurn } from '#contract/events.ts'
import type { FlowDocument } from '#contract/flow/document.ts'
import type { Database } from '#db/client.ts'
import { apikeys, chatflows, chatMessages, credentials, executions, variables, workspaces } from '#db/schema/index.ts'
import { ownerOfFlow, scope, type Tenant } from '#db/scope.ts'
import { cachedVersion, documentOf } from './flow-cache.ts'

export interface GroundQuery {
  flowId: string
  /** Public calls have none: the flow's own row says whose it is. */
  tenant?: Tenant
  /** Absent: a new session, with nothing to remember. */
  sessionId?: string
  /** Hash of the key that the call carries. */
  keyHash?: string
  /** A run that is taken up again must not read its own question as the past. */
  exceptExecutionId?: string
}

export interface Ground {
  flow: {
    id: string
    workspaceId: string
    type: FlowType
    version: number
    apikeyid: string | null
    apiConfig: string | null
    chatbotConfig: string | null
  }
  document: FlowDocument
  wrappedKey: string
  variables: Record<string, string>
  credentials: Map<string, typeof credentials.$inferSelect>
  /** Oldest first. */
  pastHistory: ChatTurn[]
  lastRun?: { input: string; flowState: Record<string, unknown> | null }
  key?: { id: string; workspaceId: string }
}

/** Messages of a session that are read; older ones are forgotten. */
const MAX_TURNS = 200
const MAX_VARIABLES = 1000

/** Throws `not_found` when there is no such flow (in the tenant's workspace). */
export async function readGround(db: Database, query: GroundQuery): Promise<Ground> {
  return groundOf(query, await fetchGround(db, query))
}

const fetchGround = (db: Database, query: GroundQuery) => db.batch(groundStatements(db, query))

export type GroundRows = Awaited<ReturnType<typeof fetchGround>>

/** What `readGround` runs, for those who have more to read in the same round trip. */
export function groundStatements(db: Database, query: GroundQuery) {
  const known = cachedVersion(query.flowId)
  return [
    flowQuery(db, query, known),
    ...workspaceQueries(db, query),
    ...sessionQueries(db, query),
    keyQuery(db, query.keyHash),
  ] as const
}

/** The ground from the rows of its statements. Throws as `readGround` does. */
export function groundOf(query: GroundQuery, rows: GroundRows): Ground {
  const [flows, variableRows, credentialRows, messages, runs, keys] = rows
  const [row] = flows
  if (!row) throw noSuchFlow(query.flowId)
  const { wrappedKey, flowData, ...flow } = row
  return {
    flow,
    document: documentOf({ ...flow, flowData }),
    wrappedKey,
    variables: Object.fromEntries(variableRows.map(({ name, value }) => [name, value])),
    credentials: new Map(credentialRows.map((credential) => [credential.id, credential])),
    pastHistory: messages.reverse().map(turnOf),
    lastRun: runs[0],
    key: keys[0],
  }
}

export const noSuchFlow = (flowId: string) => new HeddleError('not_found', `Flow ${flowId} not found`)

function flowQuery(db: Database, { flowId, tenant }: GroundQuery, known: number) {
  return db
    .select({
      id: chatflows.id,
      workspaceId: chatflows.workspaceId,
      type: chatflows.type,
      version: chatflows.version,
      apikeyid: chatflows.apikeyid,
      apiConfig: chatflows.apiConfig,
      chatbotConfig: chatflows.chatbotConfig,
      wrappedKey: workspaces.wrappedKey,
      flowData: sql<string | null>`case when ${chatflows.version} = ${known} then null else ${chatflows.flowData} end`,
    })
    .from(chatflows)
    .innerJoin(workspaces, eq(workspaces.id, chatflows.workspaceId))
    .where(and(eq(chatflows.id, flowId), tenant && eq(chatflows.workspaceId, tenant.workspaceId)))
}

/** Of the credentials only those that the flow names. */
function workspaceQueries(db: Database, { flowId, tenant }: GroundQuery) {
  const rows = scope(db, tenant ?? ownerOfFlow(flowId))
  const flowData = sql`(select ${chatflows.flowData} from ${chatflows} where ${chatflows.id} = ${flowId})`
  return [
    rows.select(variables).limit(MAX_VARIABLES),
    rows.select(credentials, sql`instr(${flowData}, ${credentials.id}) > 0`),
  ] as const
}

function sessionQueries(db: Database, { flowId, tenant, sessionId, exceptExecutionId }: GroundQuery) {
  const rows = scope(db, tenant ?? ownerOfFlow(flowId))
  const inSession = (flow: SQL, session: SQL, other?: SQL) => (sessionId ? and(flow, session, other) : sql`false`)
  return [
    db
      .select({ role: chatMessages.role, content: chatMessages.content })
      .from(chatMessages)
      .where(
        rows.inWorkspace(
          chatMessages,
          inSession(
            eq(chatMessages.chatflowid, flowId),
            eq(chatMessages.sessionId, sessionId ?? ''),
            exceptExecutionId ? sql`${chatMessages.executionId} is not ${exceptExecutionId}` : undefined,
          ),
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
          inSession(
            eq(executions.agentflowId, flowId),
            eq(executions.sessionId, sessionId ?? ''),
            exceptExecutionId ? ne(executions.id, exceptExecutionId) : undefined,
          ),
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

function turnOf({ role, content }: { role: 'userMessage' | 'apiMessage'; content: string }): ChatTurn {
  return { role: role === 'userMessage' ? 'user' : 'assistant', content }
}
