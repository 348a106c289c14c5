/** Reads the source files of flows. */
import { createHash } from 'node:crypto'
import { and, asc, desc, eq, inArray, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { SourceFile, StoredSourceFile } from '#contract/flow/sources.ts'
import type { Database } from '#db/client.ts'
import { flowSources, flowVersions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { fileKey, mapFiles } from '../../ports/file-storage.ts'
import type { FileStorage } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import type { StoredSource } from './source-statements.ts'

/** Stores the bytes of source files, for the save that follows. */
export type StoreSources = (
  services: Pick<Services, 'db' | 'clock' | 'fileStorage'>,
  tenant: Tenant,
  sources: readonly SourceFile[],
) => Promise<StoredSource[]>

/** Returns the bytes of a file that was sent, and their SHA-256. */
export function openSource({ data }: SourceFile): { bytes: Buffer; digest: string } {
  const bytes = Buffer.from(data, 'base64')
  return { bytes, digest: createHash('sha256').update(bytes).digest('hex') }
}

const newer = alias(flowVersions, 'newer_version')

/** Selects the source files of a version, by name. */
export const versionSources = (db: Database, tenant: Tenant, versionId: string) =>
  sourcesWhere(db, tenant, eq(flowSources.versionId, versionId))

/** Selects the source files of the drafts of flows. @param flowIds may be a subquery */
export function draftSources(db: Database, tenant: Tenant, flowIds: string[] | SQL) {
  const newest = db
    .select({ id: newer.id })
    .from(newer)
    .where(scope(db, tenant).foundInWorkspace(newer, eq(newer.flowId, flowSources.flowId)))
    .orderBy(desc(newer.version))
    .limit(1)
  return sourcesWhere(db, tenant, and(inArray(flowSources.flowId, flowIds), eq(flowSources.versionId, newest)))
}

function sourcesWhere(db: Database, tenant: Tenant, condition: SQL | undefined) {
  const { flowId, workspaceId, name, size, digest, objectId } = flowSources
  return db
    .select({ flowId, workspaceId, name, size, digest, objectId })
    .from(flowSources)
    .where(scope(db, tenant).foundInWorkspace(flowSources, condition))
    .orderBy(asc(name))
}

type SourceRow = Awaited<ReturnType<typeof sourcesWhere>>[number]

/** Reads the bytes of source files, in the order of their rows. */
export const readSources = (
  storage: FileStorage,
  rows: readonly SourceRow[],
): Promise<(StoredSourceFile & Pick<SourceRow, 'flowId'>)[]> =>
  mapFiles(rows, async ({ flowId, workspaceId, objectId, name }) => {
    const bytes = await storage.read(fileKey({ workspaceId, id: objectId }))
    return { flowId, name, data: bytes ? Buffer.from(bytes).toString('base64') : null }
  })
