/** Lists, annotates, publishes and restores the versions of a flow. */
import { and, desc, eq, exists, type SQL, sql } from 'drizzle-orm'
import {
  type Chatflow,
  type FlowVersion,
  type FlowVersionHead,
  type FlowVersionList,
  flowDataOf,
  type ListVersions,
  type RestoreVersion,
} from '#contract/chatflows/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { StoredSourceFile } from '#contract/flow/sources.ts'
import type { Database } from '#db/client.ts'
import { chatflows, flowVersions, unindexedFlows } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { type AuditEntry, type Audited, changeOf } from '../../http/audit.ts'
import type { Member } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { assertAllowed } from './access.ts'
import { draftSources, readSources, versionSources } from './sources.ts'
import { flowQuery, readFlowHead, type Store, updateFlow, type WritableStore } from './store.ts'
import { isDraft, isPublished } from './version-statements.ts'

interface FlowTarget {
  id: string
  /** The flow types that the caller may do this with. */
  allowed: FlowType[]
}

interface VersionTarget extends FlowTarget {
  version: number
}

/** Newest first. */
export async function listVersions(
  store: Store,
  tenant: Tenant,
  { page, limit, ...target }: FlowTarget & ListVersions,
): Promise<FlowVersionList> {
  await assertFlowAllowed(store, tenant, target)
  const ofFlow = eq(flowVersions.flowId, target.id)
  const [data, totals] = await store.db.batch([
    headQuery(store.db, tenant, ofFlow)
      .orderBy(desc(flowVersions.version))
      .limit(limit)
      .offset((page - 1) * limit),
    scope(store.db, tenant).count(flowVersions, ofFlow),
  ])
  return { data, total: totals[0]?.count ?? 0 }
}

/** Throws `not_found` when the version does not exist, as all functions below do. */
export async function readVersion({ db }: Store, tenant: Tenant, target: VersionTarget): Promise<FlowVersion> {
  await assertFlowAllowed({ db }, tenant, target)
  const [heads, [content], sources] = await db.batch([
    headQuery(db, tenant, isVersion(target)),
    db
      .select({ flowData: flowVersions.flowData })
      .from(flowVersions)
      .where(scope(db, tenant).inWorkspace(flowVersions, isVersion(target))),
    versionSources(db, tenant, versionIdOf(target)),
  ])
  if (!heads[0] || !content) throw versionNotFound(target)
  return { ...heads[0], ...content, sources: sources.map(({ name, size, digest }) => ({ name, size, digest })) }
}

/** Returns the source files of a version, or of the draft when none is given. */
export async function readVersionSources(
  { db, fileStorage }: Store & Pick<Services, 'fileStorage'>,
  tenant: Tenant,
  { version, ...target }: FlowTarget & { version?: number },
): Promise<StoredSourceFile[]> {
  await assertFlowAllowed({ db }, tenant, target)
  const read = async (rows: Parameters<typeof readSources>[1]) =>
    (await readSources(fileStorage, rows)).map(({ name, data }) => ({ name, data }))
  if (version === undefined) return read(await draftSources(db, tenant, [target.id]))
  const isIt = { id: target.id, version }
  const [heads, rows] = await db.batch([
    headQuery(db, tenant, isVersion(isIt)),
    versionSources(db, tenant, versionIdOf(isIt)),
  ])
  if (!heads[0]) throw versionNotFound(isIt)
  return read(rows)
}

export async function noteVersion(
  { db }: Store,
  tenant: Tenant,
  { note, ...target }: VersionTarget & { note: string | null },
): Promise<FlowVersionHead> {
  await assertFlowAllowed({ db }, tenant, target)
  const [, [head]] = await db.batch([
    scope(db, tenant).update(flowVersions, isVersion(target), { note: note || null }),
    headQuery(db, tenant, isVersion(target)),
  ])
  if (!head) throw versionNotFound(target)
  return head
}

/** Publishes a version, or the draft when none is given. */
export async function publishFlow(
  { db, clock, audit }: Store & Audited,
  tenant: Tenant,
  { version, ...target }: FlowTarget & { version?: number },
): Promise<Chatflow> {
  await assertFlowAllowed({ db }, tenant, target)
  const isChosen = version === undefined ? eq(flowVersions.flowId, target.id) : isVersion({ id: target.id, version })
  const chosen = db
    .select({ version: flowVersions.version })
    .from(flowVersions)
    .where(scope(db, tenant).inWorkspace(flowVersions, isChosen))
    .orderBy(desc(flowVersions.version))
    .limit(1)
  const isPublishable = and(eq(chatflows.id, target.id), exists(chosen))
  const [, published, , [row]] = await db.batch([
    audit(publishEvent(db, tenant, { id: target.id, condition: isPublishable, publishedVersion: sql`(${chosen})` })),
    scope(db, tenant)
      .update(chatflows, isPublishable, {
        publishedVersion: sql`(${chosen})` as unknown as number,
        publishedDate: clock.now().toISOString(),
      })
      .returning({ id: chatflows.id }),
    indexAgain(db, tenant, target.id),
    flowQuery(db, tenant, eq(chatflows.id, target.id)),
  ])
  if (!published[0] || !row) throw versionNotFound({ version })
  return row
}

/** Makes callers run the draft again. */
export async function unpublishFlow(
  { db, audit }: Store & Audited,
  tenant: Tenant,
  target: FlowTarget,
): Promise<Chatflow> {
  await assertFlowAllowed({ db }, tenant, target)
  const ofFlow = eq(chatflows.id, target.id)
  const [, , , [row]] = await db.batch([
    audit(publishEvent(db, tenant, { id: target.id, condition: ofFlow, publishedVersion: null })),
    scope(db, tenant).update(chatflows, ofFlow, { publishedVersion: null, publishedDate: null }),
    indexAgain(db, tenant, target.id),
    flowQuery(db, tenant, ofFlow),
  ])
  return row as Chatflow
}

function publishEvent(
  db: Database,
  tenant: Tenant,
  { id, condition, publishedVersion }: { id: string; condition: SQL | undefined; publishedVersion: SQL | null },
): AuditEntry {
  const where = scope(db, tenant).inWorkspace(chatflows, condition)
  const target = { id, name: chatflows.name, of: chatflows, where }
  return { event: 'flow.publish', target, change: changeOf(chatflows, { publishedVersion }) }
}

/** What the flow uses is recorded anew within a minute: other assets may be in the version that callers run now. */
const indexAgain = (db: Database, tenant: Tenant, id: string) =>
  scope(db, tenant).insert(unindexedFlows, { id }).onConflictDoNothing()

/** Saves a version as the new draft, with its source files. Throws `conflict` like `updateFlow`. */
export async function restoreVersion(
  store: WritableStore,
  member: Member,
  { body, ...target }: VersionTarget & { body: RestoreVersion },
): Promise<Chatflow> {
  const { flowData } = await readVersion(store, member, target)
  const versionNote = body.note || `Restored from version ${target.version}`
  const { id, allowed } = target
  const restored = { flowData: flowDataOf(flowData), versionNote, version: body.version }
  const sources = { versionId: versionIdOf(target) }
  return updateFlow({ ...store, sources }, member, { id, allowed, body: restored })
}

function headQuery(db: Database, tenant: Tenant, condition: SQL | undefined) {
  const { version, author, note, createdDate } = flowVersions
  return db
    .select({ version, author, note, createdDate, isPublished, isDraft: isDraft(db) })
    .from(flowVersions)
    .innerJoin(chatflows, eq(chatflows.id, flowVersions.flowId))
    .where(scope(db, tenant).inWorkspace(flowVersions, condition))
}

const isVersion = ({ id, version }: Omit<VersionTarget, 'allowed'>) =>
  and(eq(flowVersions.flowId, id), eq(flowVersions.version, version)) as SQL

async function assertFlowAllowed(store: Pick<Store, 'db'>, tenant: Tenant, { id, allowed }: FlowTarget): Promise<void> {
  assertAllowed((await readFlowHead(store, tenant, id)).type, allowed)
}

const versionIdOf = ({ id, version }: Omit<VersionTarget, 'allowed'>) => `${id}@${version}`

const versionNotFound = ({ version }: { version?: number }) =>
  new HeddleError(
    'not_found',
    version ? `Version ${version} of this flow not found` : 'This flow has no versions yet. Save it first',
  )
