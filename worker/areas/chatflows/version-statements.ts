/** Statements that update a flow's versions; they run in the batch of the save. */
import { and, desc, eq, exists, gt, gte, isNull, lt, notExists, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Database } from '#db/client.ts'
import { apikeys, chatflows, executions, flowVersions, users } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Member } from '../../http/route.ts'
import { addSources, type DraftSources, sourcesDiffer } from './source-statements.ts'

/** Minimum number of versions kept per flow. */
export const KEPT_VERSIONS = 200

const newer = alias(flowVersions, 'newer')
const published = alias(chatflows, 'published')

/** True for flows with a version newer than the published one. */
export const hasUnpublishedChanges = (db: Database) =>
  isTrue(
    exists(
      db
        .select({ one: sql`1` })
        .from(newer)
        .where(and(eq(newer.flowId, chatflows.id), gt(newer.version, chatflows.publishedVersion))),
    ),
  )

/** True for the newest version of a flow. */
export const isDraft = (db: Database) =>
  isTrue(
    notExists(
      db
        .select({ one: sql`1` })
        .from(newer)
        .where(and(eq(newer.flowId, flowVersions.flowId), gt(newer.version, flowVersions.version))),
    ),
  )

/** True for the published version. Requires a join with the flow. */
export const isPublished = isTrue(sql`${flowVersions.version} is ${chatflows.publishedVersion}`)

interface Draft {
  flowId: string
  note?: string | null
  sources: DraftSources
  /** Where the save may have been refused. */
  isSaved?: SQL
}

/**
 * Adds the flow's current data and sources as a version, unless the newest version has the same. The statements must
 * follow each other, and the first one the save where `isSaved` asks of it.
 */
export const keepDraft = (db: Database, member: Member, draft: Draft) =>
  [addVersion(db, member, draft), addSources(db, member, draft)] as const

function addVersion(db: Database, member: Member, { flowId, note, sources, isSaved }: Draft) {
  const newest = db
    .select({ flowData: newer.flowData })
    .from(newer)
    .where(eq(newer.flowId, flowId))
    .orderBy(desc(newer.version))
    .limit(1)
  return db.insert(flowVersions).select((query) =>
    query
      .select({
        id: sql<string>`${chatflows.id} || '@' || ${chatflows.version}`.as('id'),
        workspaceId: chatflows.workspaceId,
        flowId: sql<string>`${chatflows.id}`.as('flow_id'),
        version: chatflows.version,
        flowData: chatflows.flowData,
        author: selectAuthor(db, member).as('author'),
        note: sql<string | null>`${note || null}`.as('note'),
        createdDate: sql<string>`${chatflows.updatedDate}`.as('created_date'),
      })
      .from(chatflows)
      .where(
        scope(db, member).inWorkspace(
          chatflows,
          and(
            eq(chatflows.id, flowId),
            isSaved,
            or(sql`${chatflows.flowData} is not (${newest})`, sourcesDiffer(db, member, { flowId, sources })),
          ),
        ),
      ),
  )
}

/** Deletes versions beyond the newest 200, except those that are published, have a note or were run. */
export function pruneVersions(db: Database, member: Member, flowId: string) {
  const ofFlow = eq(flowVersions.flowId, flowId)
  const oldestKept = db
    .select({ version: newer.version })
    .from(newer)
    .where(eq(newer.flowId, flowId))
    .orderBy(desc(newer.version))
    .limit(1)
    .offset(KEPT_VERSIONS - 1)
  const isPublished = db
    .select({ one: sql`1` })
    .from(published)
    .where(and(eq(published.id, flowId), eq(published.publishedVersion, flowVersions.version)))
  return scope(db, member).delete(
    flowVersions,
    and(
      ofFlow,
      lt(flowVersions.version, sql`(${oldestKept})`),
      isNull(flowVersions.note),
      notExists(isPublished),
      notExists(selectRuns(db, member, flowId)),
    ),
  )
}

/** Selects the runs of a version's data: saves of settings alone raise the flow's version without adding a row here. */
function selectRuns(db: Database, member: Member, flowId: string) {
  const next = db
    .select({ version: sql`min(${newer.version})` })
    .from(newer)
    .where(and(eq(newer.flowId, flowId), gt(newer.version, flowVersions.version)))
  return db
    .select({ one: sql`1` })
    .from(executions)
    .where(
      scope(db, member).inWorkspace(
        executions,
        and(
          eq(executions.agentflowId, flowId),
          gte(executions.flowVersion, flowVersions.version),
          lt(executions.flowVersion, sql`(${next})`),
        ),
      ),
    )
}

/** The author's name, because it must outlive the account or key. */
function selectAuthor(db: Database, member: Member): SQL<string | null> {
  const name =
    member.kind === 'user'
      ? db.select({ name: users.name }).from(users).where(eq(users.id, member.userId))
      : db
          .select({ name: apikeys.keyName })
          .from(apikeys)
          .where(scope(db, member).inWorkspace(apikeys, eq(apikeys.id, member.keyId)))
  return sql`(${name})`
}

function isTrue(condition: SQL): SQL<boolean> {
  return sql`${condition}`.mapWith(Boolean) as SQL<boolean>
}
