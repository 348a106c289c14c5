/** Removes entries of chunks that are not there, as a lost worker leaves them, from a shelf. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { documentChunks } from '#db/schema/index.ts'
import type { Shelf } from '#db/shelf-types.ts'
import { type Task, writeUnit } from './open-task.ts'

const ENTRIES_PER_UNIT = 1000

/** One unit of it. Returns false when the whole shelf was looked through. */
export async function tidyShelf(task: Task, shelf: Shelf): Promise<boolean> {
  const { cursor } = task
  const from = cursor.tidied?.shelf === shelf.id ? cursor.tidied.to : 0
  const { last, strays } = await shelf.strayEntries({ from, limit: ENTRIES_PER_UNIT, isThere: isEnabled(task) })
  if (last === undefined) return false
  await writeUnit(task, {
    cursor: { ...cursor, tidied: { shelf: shelf.id, to: last } },
    statements: shelf.removeEntries(strays),
  })
  return true
}

/** Returns a condition on a chunk's id: the store has it, and it is searched. */
const isEnabled =
  ({ rows, store }: Task) =>
  (chunkId: SQL) =>
    sql`exists (select 1 from ${documentChunks} where ${rows.foundInWorkspace(
      documentChunks,
      and(
        sql`${documentChunks.id} = ${chunkId}`,
        eq(documentChunks.storeId, store.id),
        eq(documentChunks.isEnabled, true),
      ),
    )})`
