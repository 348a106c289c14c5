/** The statements that read a run's context in one batch. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
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
import { acrossWorkspaces, ownerOfFlow, scope, type Tenant } from '#db/scope.ts'
import { isExpired } from '../recovery/orphans.ts'
import { columnOfRun, type SessionQuery, sessionHistoryOf } from './session-history.ts'

export interface RunContextQuery extends SessionQuery {
  flowId: string
  /** Absent on public calls: the flow's own row names the workspace. */
  tenant?: Tenant
  /** `published` is the draft until the flow is published; `own` is the version that `run` began with. */
  version: 'draft' | 'published' | 'own'
  /** Hash of the key that the call carries. */
  keyHash?: string
  /** Set: look for runs of this flow whose lease has expired by then. */
  orphansAt?: Date
}

/** The newest messages of a session are read, older ones are not. */
const MAX_TURNS = 200
const MAX_VARIABLES = 1000

/** @param cached editions of the flow that need not be fetched */
export function statementsOf(db: Database, query: RunContextQuery, cached: string[]) {
  return [
    flowQuery(db, query, cached),
    ...workspaceQueries(db, query),
    ...sessionQueries(db, query),
    keyQuery(db, query.keyHash),
    ...runQueries(db, query),
  ] as const
}

/** Selects the version that runs, from a row of `chatflows`. */
function versionOf({ version, run }: RunContextQuery): SQL<number> {
  const draft = sql<number>`${chatflows.version}`
  if (version === 'draft') return draft
  const published = sql<number>`coalesce(${chatflows.publishedVersion}, ${draft})`
  return version === 'own' && run ? sql`coalesce(${columnOfRun(run, executions.flowVersion)}, ${published})` : published
}

/** Selects that version's data. Saves of settings raise the version without a row of their own. */
function flowDataOf(query: RunContextQuery): SQL<string | null> {
  const kept = sql`(
    select ${flowVersions.flowData} from ${flowVersions}
    where ${flowVersions.flowId} = ${chatflows.id} and ${flowVersions.version} <= ${versionOf(query)}
    order by ${flowVersions.version} desc limit 1
  )`
  return sql`case when ${versionOf(query)} = ${chatflows.version} then ${chatflows.flowData} else ${kept} end`
}

function flowQuery(db: Database, query: RunContextQuery, cached: string[]) {
  const { flowId, tenant, orphansAt } = query
  const version = versionOf(query)
  const incarnation = sql<string>`coalesce(${chatflows.incarnation}, '')`
  const edition = sql`${incarnation} || '@' || ${version}`
  const isKnown = sql`${edition} in (select value from json_each(${JSON.stringify(cached)}))`
  const orphaned = and(orphansAt && isExpired(orphansAt), eq(executions.agentflowId, flowId))
  const orphans = scope(db, tenant ?? ownerOfFlow(flowId)).select(executions, orphaned)
  return acrossWorkspaces(db, 'a prediction names its flow by id, and the row names the workspace')
    .select({
      id: chatflows.id,
      name: chatflows.name,
      workspaceId: chatflows.workspaceId,
      type: chatflows.type,
      incarnation,
      version,
      apikeyid: chatflows.apikeyid,
      apiConfig: chatflows.apiConfig,
      chatbotConfig: chatflows.chatbotConfig,
      flowLimits: chatflows.runLimits,
      workspaceLimits: workspaces.runLimits,
      wrappedKey: workspaces.wrappedKey,
      hasOrphans: orphansAt ? sql<number>`exists ${orphans}` : sql<number>`0`,
      flowData: sql<string | null>`case when ${isKnown} then null else ${flowDataOf(query)} end`,
    })
    .from(chatflows)
    .innerJoin(workspaces, eq(workspaces.id, chatflows.workspaceId))
    .where(and(eq(chatflows.id, flowId), tenant && eq(chatflows.workspaceId, tenant.workspaceId)))
}

/** Reads only the credentials that the flow names. */
function workspaceQueries(db: Database, query: RunContextQuery) {
  const rows = scope(db, query.tenant ?? ownerOfFlow(query.flowId))
  const flowData = sql`(select ${flowDataOf(query)} from ${chatflows} where ${chatflows.id} = ${query.flowId})`
  return [
    rows.select(variables).limit(MAX_VARIABLES),
    rows.select(credentials, sql`instr(${flowData}, ${credentials.id}) > 0`),
  ] as const
}

function sessionQueries(db: Database, query: RunContextQuery) {
  const rows = scope(db, query.tenant ?? ownerOfFlow(query.flowId))
  const past = sessionHistoryOf(query)
  return [
    db
      .select({ role: chatMessages.role, content: chatMessages.content, fileUploads: chatMessages.fileUploads })
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
  return acrossWorkspaces(db, 'an API key is found by its hash and names its workspace')
    .select({ id: apikeys.id, workspaceId: apikeys.workspaceId })
    .from(apikeys)
    .where(keyHash ? eq(apikeys.keyHash, keyHash) : sql`false`)
}

/** Reads the run that is resumed, when it belongs to this flow. */
function runQueries(db: Database, query: RunContextQuery) {
  const { flowId, run } = query
  const rows = scope(db, query.tenant ?? ownerOfFlow(flowId))
  const isRun = run ? and(eq(executions.id, sql`(${run})`), eq(executions.agentflowId, flowId)) : sql`false`
  const id = db.select({ id: executions.id }).from(executions).where(rows.inWorkspace(executions, isRun))
  return [
    rows.select(executions, isRun),
    db
      .select()
      .from(executionSteps)
      .where(run ? eq(executionSteps.executionId, sql`${id}`) : sql`false`)
      .orderBy(executionSteps.seq),
  ] as const
}
