/** Statements on the source files of a flow's versions. They run in the batch of the save. */
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Database } from '#db/client.ts'
import { chatflows, fileDeletions, flowSources, flowVersions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { fileKey } from '../../ports/file-storage.ts'

/** A source file whose bytes are in storage. Its row uses an object of the workspace with the same bytes, if there is one. */
export interface StoredSource {
  name: string
  size: number
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string
  objectId: string
}

/** The source files of a new version: those of the version before, stored ones, those of a version, or of another flow. */
export type DraftSources = 'kept' | readonly StoredSource[] | { versionId: string } | { flowId: string }

const version = alias(flowVersions, 'source_version')
const same = alias(flowSources, 'same_source')

/** True when a version with these sources differs from the newest one in their names or bytes. */
export function sourcesDiffer(db: Database, tenant: Tenant, of: { flowId: string; sources: DraftSources }): SQL {
  if (of.sources === 'kept') return sql`false`
  const newest = sourcesOf(db, tenant, newestVersion(db, tenant, of.flowId))
  return sql`${listOf(selectSources(db, tenant, of))} is not ${listOf(newest)}`
}

const listOf = (sources: SQL) =>
  sql`(select json_group_array(name || ' ' || digest) from (select name, digest from ${sources} order by name))`

/** Adds the source files of the version that the statement before has added; none when it added no version. */
export function addSources(db: Database, tenant: Tenant, of: { flowId: string; sources: DraftSources }) {
  const rows = scope(db, tenant)
  const isNewest = rows.inWorkspace(version, eq(version.flowId, of.flowId))
  return rows.insertFound(flowSources, {
    values: {
      id: sql`${version.id} || '/' || wanted.name`,
      flowId: sql`${version.flowId}`,
      versionId: sql`${version.id}`,
      name: sql`wanted.name`,
      size: sql`wanted.size`,
      digest: sql`wanted.digest`,
      objectId: sql`wanted.object_id`,
    },
    from: sql`from ${flowVersions} ${sql.identifier('source_version')}
      join ${chatflows} on ${chatflows.id} = ${version.flowId} and ${chatflows.version} = ${version.version}
      join ${selectSources(db, tenant, of)} as wanted
      where changes() > 0 and ${isNewest}`,
  })
}

/** Takes the bytes of sources that a version has now off the list of those to delete. */
export function keepSourceBytes(
  db: Database,
  tenant: Tenant,
  of: { flowId: string; sources: readonly StoredSource[] },
) {
  const keys = of.sources.map(({ objectId: id }) => fileKey({ workspaceId: tenant.workspaceId, id }))
  const used = db
    .select({ key: sql`${flowSources.workspaceId} || '/' || ${flowSources.objectId}` })
    .from(flowSources)
    .where(scope(db, tenant).inWorkspace(flowSources, eq(flowSources.flowId, of.flowId)))
  return db.delete(fileDeletions).where(and(inArray(fileDeletions.key, keys), inArray(fileDeletions.key, used)))
}

/** A subquery of names, sizes, digests and objects. */
function selectSources(
  db: Database,
  tenant: Tenant,
  { flowId, sources }: { flowId: string; sources: DraftSources },
): SQL {
  if (sources === 'kept') return sourcesOf(db, tenant, newestVersion(db, tenant, flowId, beforeDraft))
  if ('versionId' in sources) return sourcesOf(db, tenant, sql`${sources.versionId}`)
  if ('flowId' in sources) return sourcesOf(db, tenant, newestVersion(db, tenant, sources.flowId))
  const known = db
    .select({ objectId: same.objectId })
    .from(same)
    .where(scope(db, tenant).inWorkspace(same, eq(same.digest, sql`value ->> 'digest'`)))
    .limit(1)
  return sql`(select value ->> 'name' as name, value ->> 'size' as size, value ->> 'digest' as digest,
    coalesce((${known}), value ->> 'objectId') as object_id from json_each(${JSON.stringify(sources)}))`
}

function sourcesOf(db: Database, tenant: Tenant, versionId: SQL): SQL {
  const { name, size, digest, objectId } = same
  const query = db
    .select({ name, size, digest, objectId })
    .from(same)
    .where(scope(db, tenant).inWorkspace(same, eq(same.versionId, versionId)))
  return sql`(${query})`
}

const newer = alias(flowVersions, 'newer_version')

/** Holds for versions before the one that the flow has now. */
const beforeDraft = sql`${newer.version} < (select ${chatflows.version} from ${chatflows} where ${chatflows.id} = ${newer.flowId})`

function newestVersion(db: Database, tenant: Tenant, flowId: string, condition?: SQL): SQL {
  const query = db
    .select({ id: newer.id })
    .from(newer)
    .where(scope(db, tenant).inWorkspace(newer, and(eq(newer.flowId, flowId), condition)))
    .orderBy(desc(newer.version))
    .limit(1)
  return sql`(${query})`
}
