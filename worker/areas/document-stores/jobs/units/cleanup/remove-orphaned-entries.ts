/** Removes entries of chunks that are not there, as a lost worker leaves them, from a search index. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { documentChunks } from '#db/schema/index.ts'
import type { SearchIndex } from '#db/search-index/types.ts'
import { type JobContext, writeUnit } from '../../job-context.ts'

const ENTRIES_PER_UNIT = 1000

/** One unit of it. Returns false when the whole search index was looked through. */
export async function removeOrphanedEntries(task: JobContext, searchIndex: SearchIndex): Promise<boolean> {
  const { cursor } = task
  const from = cursor.cleaned?.searchIndex === searchIndex.id ? cursor.cleaned.to : 0
  const { last, strays } = await searchIndex.strayEntries({ from, limit: ENTRIES_PER_UNIT, isThere: isEnabled(task) })
  if (last === undefined) return false
  await writeUnit(task, {
    cursor: { ...cursor, cleaned: { searchIndex: searchIndex.id, to: last } },
    statements: searchIndex.removeEntries(strays),
  })
  return true
}

/** Returns a condition on a chunk's id: the store has it, and it is searched. */
const isEnabled =
  ({ rows, store }: JobContext) =>
  (chunkId: SQL) =>
    sql`exists (select 1 from ${documentChunks} where ${rows.foundInWorkspace(
      documentChunks,
      and(
        sql`${documentChunks.id} = ${chunkId}`,
        eq(documentChunks.storeId, store.id),
        eq(documentChunks.isEnabled, true),
      ),
    )})`
