/** Keeps the original of a source among the stored files. */
import { eq, sql } from 'drizzle-orm'
import { documentSources, documentStores, fileDeletions } from '#db/schema/index.ts'
import { fileKey } from '../../../../../ports/file-storage.ts'
import type { JobContext, Statement } from '../../job-context.ts'
import type { ReadSource } from './read-progress.ts'

/** Bytes whose row does not say by then that they are kept belong to a unit that failed. */
const UNCLAIMED_FILE_TTL_MS = 60 * 60_000

/** Returns the statements that say so, for the batch of its source. Until then its bytes are due for deletion. */
export async function storeOriginalFile(task: JobContext, { source, content }: ReadSource): Promise<Statement[]> {
  const { db, rows, services, tenant, store } = task
  const original = content?.original
  if (!original) return []
  const key = fileKey({ workspaceId: tenant.workspaceId, id: source.id })
  const dueDate = new Date(services.clock.now().getTime() + UNCLAIMED_FILE_TTL_MS).toISOString()
  if (!source.isStored) await db.insert(fileDeletions).values({ key, dueDate }).onConflictDoNothing()
  await services.fileStorage.write(key, original.bytes)
  const size = original.bytes.length
  const added = size - (source.isStored ? source.size : 0)
  return [
    db.delete(fileDeletions).where(eq(fileDeletions.key, key)),
    rows.update(documentSources, eq(documentSources.id, source.id), { isStored: true, size, mime: original.mime }),
    rows.update(documentStores, eq(documentStores.id, store.id), {
      totalBytes: sql`${documentStores.totalBytes} + ${added}` as unknown as number,
    }),
  ]
}
