/** The bytes of flows' source files. The save that follows adds their rows; without one, the minute job deletes the bytes. */
import { inArray } from 'drizzle-orm'
import type { SourceFile } from '#contract/flow/sources.ts'
import { flowSources } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { fileKey, mapFiles } from '../../ports/file-storage.ts'
import type { Services } from '../../services.ts'
import { openSource, type StoreSources } from '../chatflows/index.ts'
import { assertRoom, expectBytes, usedBytes } from './store.ts'

/** Throws `too_large` past the workspace's quota, in which the same bytes count once. */
export const storeSources: StoreSources = async ({ db, clock, fileStorage }, tenant, sources) => {
  if (sources.length === 0) return []
  const files = sources.map(newObject)
  const keyOf = ({ objectId: id }: { objectId: string }) => fileKey({ workspaceId: tenant.workspaceId, id })
  const [[used], known] = await db.batch([
    usedBytes(db, tenant),
    knownDigests(
      db,
      tenant,
      files.map(({ digest }) => digest),
    ),
    expectBytes(db, files.map(keyOf), clock.now()),
  ])
  const present = new Set(known.map(({ digest }) => digest))
  const added = new Map(files.filter(({ digest }) => !present.has(digest)).map((file) => [file.digest, file]))
  assertRoom(used?.bytes ?? 0, [...added.values()], 'sources')
  // Also those that are present: their last row may go before the save.
  await mapFiles(files, (file) => fileStorage.write(keyOf(file), file.bytes))
  return files.map(({ bytes: _, ...stored }) => stored)
}

function newObject(file: SourceFile) {
  const { bytes, digest } = openSource(file)
  return { name: file.name, size: bytes.length, digest, objectId: crypto.randomUUID(), bytes }
}

const knownDigests = (db: Services['db'], tenant: Tenant, digests: string[]) =>
  db
    .selectDistinct({ digest: flowSources.digest })
    .from(flowSources)
    .where(scope(db, tenant).inWorkspace(flowSources, inArray(flowSources.digest, digests)))
