/** The statements that read a run's context in one batch. */

import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { MAX_VARIABLES } from '#contract/variables/variables.ts'
import type { Database } from '#db/client.ts'
import { withinRow } from '#db/long-answer.ts'
import { includesText } from '#db/long-text.ts'
import { prepareStatement, slot } from '#db/prepared-statement.ts'
import {
  apikeys,
  chatflows,
  chatMessages,
  credentials,
  executions,
  flowVersions,
  rateLimits,
  variables,
  workspaces,
} from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, ownerOfFlow, scope, type Tenant, type TenantQuery } from '#db/scope.ts'
import { storedForm } from '../records/stored-form.ts'
import { storedLogs } from '../records/stored-log.ts'
import { isExpired } from '../recovery/orphans.ts'
import { buildHistoryFilter, CHAT_TYPE, columnOfRun, type SessionQuery } from './session-history.ts'

export interface RunContextQuery extends SessionQuery {
  flowId: string
  /** Absent on public calls: the flow's own row names the workspace. */
  tenant?: Tenant
  sessionId?: string
  /** Whether the session is of the builder or of callers from outside. Absent: of either. */
  isInternal?: 0 | 1
  /** `published` is the draft until the flow is published; `own` is the version that `run` began with. */
  version: 'draft' | 'published' | 'own'
  /** Hash of the key that the call carries. */
  keyHash?: string
  /** Set: look for runs of this flow whose lease has expired by then. */
  orphansAt?: Date
}

/** The newest messages of a session are read, older ones are not. */
const MAX_TURNS = 200

/** A query whose values are SQL: the values themselves, or slots of a kept statement. */
interface ContextSlots extends SessionQuery {
  flowId: SQL
  tenant: Tenant | TenantQuery
  isTenantGiven: boolean
  version: RunContextQuery['version']
  orphansAt?: SQL
  /** JSON: editions of the flow that need not be fetched. */
  cached: SQL
}

type EveryStatement = ReturnType<typeof resumedStatements> & { keys: ReturnType<typeof keyStatement> }
type Always = 'flows' | 'variables' | 'credentials'
export type ContextStatements = Pick<EveryStatement, Always> & Partial<Omit<EveryStatement, Always>>

/**
 * The statements of a query. What it cannot have is not asked for: a history without a session, a key, a run.
 * @param cached editions of the flow that need not be fetched
 */
export function statementsOf(db: Database, query: RunContextQuery, cached: string[]): ContextStatements {
  const { keyHash } = query
  const statements = query.run ? resumedStatements(db, query, cached) : newStatements(db, query, cached)
  return { ...statements, ...(keyHash && { keys: keyStatement(db, { keyHash }) }) }
}

/** The first question of an isolate builds these; the others only bring values. */
function newStatements(db: Database, query: RunContextQuery, cached: string[]) {
  const { flowId, tenant, version, sessionId, orphansAt } = query
  const values = {
    flowId,
    workspaceId: tenant?.workspaceId,
    cached: JSON.stringify(cached),
    orphansAt: orphansAt?.toISOString(),
    sessionId,
    isInternal: query.isInternal ?? null,
  }
  const variant: Variant = `${version} ${tenant ? 'tenant' : 'owner'} ${orphansAt ? 'orphans' : ''}`
  return {
    flows: flowStatement(db, values, variant),
    variables: variablesStatement(db, values, variant),
    credentials: credentialsStatement(db, values, variant),
    ...(sessionId && {
      messages: messagesStatement(db, values, variant),
      lastRuns: lastRunStatement(db, values, variant),
    }),
  }
}

type Variant = `${RunContextQuery['version']} ${'tenant' | 'owner'} ${'orphans' | ''}`

function buildSlots(variant: Variant): ContextSlots {
  const [version, owner, orphans] = variant.split(' ') as ['draft', 'tenant', 'orphans']
  const flowId = slot('flowId')
  const isTenantGiven = owner === 'tenant'
  return {
    flowId,
    isTenantGiven,
    tenant: isTenantGiven ? { workspaceId: slot('workspaceId') } : ownerOfFlow(flowId),
    version,
    sessionId: slot('sessionId'),
    isInternal: sql`${slot('isInternal')}`,
    cached: slot('cached'),
    ...(orphans && { orphansAt: slot('orphansAt') }),
  }
}

const flowStatement = prepareStatement((db, variant: Variant) => flowQuery(db, buildSlots(variant)))
const variablesStatement = prepareStatement((db, variant: Variant) => variablesQuery(db, buildSlots(variant)))
const credentialsStatement = prepareStatement((db, variant: Variant) => credentialsQuery(db, buildSlots(variant)))
const messagesStatement = prepareStatement((db, variant: Variant) => messagesQuery(db, buildSlots(variant)))
const lastRunStatement = prepareStatement((db, variant: Variant) => lastRunQuery(db, buildSlots(variant)))

/** Built for each call, since the id of the run may itself be a query. */
function resumedStatements(db: Database, query: RunContextQuery, cached: string[]) {
  const { flowId, tenant, version, orphansAt, sessionId, run, isInternal = null } = query
  const slots: ContextSlots = {
    flowId: sql`${flowId}`,
    isTenantGiven: Boolean(tenant),
    tenant: tenant ?? ownerOfFlow(flowId),
    version,
    cached: sql`${JSON.stringify(cached)}`,
    ...(orphansAt && { orphansAt: sql`${orphansAt.toISOString()}` }),
    ...(sessionId && { sessionId }),
    ...(run && { run }),
    isInternal,
  }
  return {
    flows: flowQuery(db, slots),
    variables: variablesQuery(db, slots),
    credentials: credentialsQuery(db, slots),
    messages: messagesQuery(db, slots),
    lastRuns: lastRunQuery(db, slots),
    ...runQueries(db, slots),
  }
}

/** Selects the version that runs, from a row of `chatflows`. */
function versionOf({ version, run }: ContextSlots): SQL<number> {
  const draft = sql<number>`${chatflows.version}`
  if (version === 'draft') return draft
  const published = sql<number>`coalesce(${chatflows.publishedVersion}, ${draft})`
  return version === 'own' && run ? sql`coalesce(${columnOfRun(run, executions.flowVersion)}, ${published})` : published
}

/** Selects that version's data. Saves of settings raise the version without a row of their own. */
function flowDataOf(query: ContextSlots): SQL<string | null> {
  const kept = sql`(
    select ${flowVersions.flowData} from ${flowVersions}
    where ${flowVersions.flowId} = ${chatflows.id} and ${flowVersions.version} <= ${versionOf(query)}
    order by ${flowVersions.version} desc limit 1
  )`
  return sql`case when ${versionOf(query)} = ${chatflows.version} then ${chatflows.flowData} else ${kept} end`
}

function flowQuery(db: Database, query: ContextSlots) {
  const { flowId, tenant, isTenantGiven, orphansAt, cached } = query
  const version = versionOf(query)
  const incarnation = sql<string>`coalesce(${chatflows.incarnation}, '')`
  const edition = sql`${incarnation} || '@' || ${version}`
  const isKnown = sql`${edition} in (select value from json_each(${cached}))`
  const orphaned = and(orphansAt && isExpired(orphansAt), eq(executions.agentflowId, flowId))
  const orphans = scope(db, tenant).select(executions, orphaned)
  return acrossWorkspaces(db, 'a prediction names its flow by id, and the row names the workspace')
    .select({
      id: chatflows.id,
      name: chatflows.name,
      workspaceId: chatflows.workspaceId,
      type: chatflows.type,
      incarnation,
      version,
      apikeyid: chatflows.apikeyid,
      callers: chatflows.callers,
      apiConfig: chatflows.apiConfig,
      conversationSecret: chatflows.conversationSecret,
      chatbotConfig: chatflows.chatbotConfig,
      followUpPrompts: chatflows.followUpPrompts,
      textToSpeech: chatflows.textToSpeech,
      flowLimits: chatflows.runLimits,
      workspaceLimits: workspaces.runLimits,
      wrappedKey: workspaces.wrappedKey,
      recordsSize: workspaces.recordsSize,
      anonymousBytes: rateLimits.count,
      anonymousWindowEnd: rateLimits.windowEnd,
      hasOrphans: orphansAt ? sql<number>`exists ${orphans}` : sql<number>`0`,
      flowData: sql<string | null>`case when ${isKnown} then null else ${flowDataOf(query)} end`,
    })
    .from(chatflows)
    .innerJoin(workspaces, and(eq(workspaces.id, chatflows.workspaceId), isNull(workspaces.deletedDate)))
    .leftJoin(rateLimits, eq(rateLimits.key, sql`'records ' || ${workspaces.id}`))
    .where(and(eq(chatflows.id, flowId), isTenantGiven ? eq(chatflows.workspaceId, tenant.workspaceId) : undefined))
}

const variablesQuery = (db: Database, { tenant }: ContextSlots) =>
  scope(db, tenant).select(variables).limit(MAX_VARIABLES)

/** Reads only the credentials that the flow names. */
function credentialsQuery(db: Database, query: ContextSlots) {
  const flowData = sql`(select ${flowDataOf(query)} from ${chatflows} where ${chatflows.id} = ${query.flowId})`
  return scope(db, query.tenant).select(credentials, includesText(flowData, credentials.id))
}

function messagesQuery(db: Database, query: ContextSlots) {
  const past = buildHistoryFilter(query)(eq(chatMessages.chatflowid, query.flowId), {
    session: chatMessages.sessionId,
    date: chatMessages.createdDate,
    run: chatMessages.executionId,
    chatType: chatMessages.chatType,
  })
  return db
    .select({
      role: chatMessages.role,
      content: withinRow(chatMessages.content, MAX_TURNS),
      fileUploads: withinRow(chatMessages.fileUploads, MAX_TURNS),
    })
    .from(chatMessages)
    .where(scope(db, query.tenant).inWorkspace(chatMessages, past))
    .orderBy(desc(chatMessages.createdDate), sql`rowid desc`)
    .limit(MAX_TURNS)
}

function lastRunQuery(db: Database, query: ContextSlots) {
  const past = buildHistoryFilter(query)(eq(executions.agentflowId, query.flowId), {
    session: executions.sessionId,
    date: executions.createdDate,
    run: executions.id,
    chatType: CHAT_TYPE,
  })
  return db
    .select({ form: storedForm(1), flowState: executions.flowState })
    .from(executions)
    .where(scope(db, query.tenant).inWorkspace(executions, past))
    .orderBy(desc(executions.createdDate), sql`rowid desc`)
    .limit(1)
}

const keyStatement = prepareStatement((db) =>
  acrossWorkspaces(db, 'an API key is found by its hash and names its workspace')
    .select({
      id: apikeys.id,
      workspaceId: apikeys.workspaceId,
      permissions: apikeys.permissions,
      flowIds: apikeys.flowIds,
      expiresDate: apikeys.expiresDate,
      lastUsedDate: apikeys.lastUsedDate,
    })
    .from(apikeys)
    .where(and(eq(apikeys.keyHash, slot('keyHash')), isInUse(apikeys.workspaceId))),
)

/** Reads the run that is resumed, when it belongs to this flow. */
function runQueries(db: Database, { flowId, tenant, run }: ContextSlots) {
  const rows = scope(db, tenant)
  const isRun = and(eq(executions.id, sql`(${run})`), eq(executions.agentflowId, flowId))
  const id = db.select({ id: executions.id }).from(executions).where(rows.inWorkspace(executions, isRun))
  return {
    runs: rows.select(executions, isRun),
    ...storedLogs(db, sql`= ${id}`),
  }
}
