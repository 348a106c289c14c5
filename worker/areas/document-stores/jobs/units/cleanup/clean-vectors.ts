/** Takes vectors away: those of chunks that left, from a vector store elsewhere, or all of a loader or store. */
import { type SQL, sql } from 'drizzle-orm'
import { documentJobs, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { openSearchIndex } from '#db/search-index/search-index.ts'
import type { VectorStore } from '../../../../../knowledge/types.ts'
import type { Services } from '../../../../../services.ts'
import { type JobContext, writeUnit } from '../../job-context.ts'
import { openStoreElsewhere } from '../../open-components.ts'
import { endJob } from '../../rows/end-job.ts'
import { ofLoader, removeElsewhere } from '../embed-chunks.ts'

const CHUNKS_PER_UNIT = 500

/**
 * The statement that adds a job for chunks that are about to leave, before they do; none is added where the store's
 * vectors are in its search index. `dispatch` starts it afterwards.
 * @param chunkIds a select of ids, with the workspace
 */
export function cleanJob(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  tenant: Tenant,
  { storeId, chunkIds }: { storeId: string; chunkIds: SQL },
) {
  const id = crypto.randomUUID()
  const isElsewhere = sql`${documentStores.id} = ${storeId} and ${documentStores.vectorStoreConfig} is not null`
  const statement =
    db.run(sql`insert into ${documentJobs} (id, workspace_id, store_id, kind, state, request, created_date)
    select ${id}, ${documentStores.workspaceId}, ${documentStores.id}, 'clean', 'queued',
      json_object('unused', (select json_group_array(chunk.id) from (${chunkIds}) chunk)), ${clock.now().toISOString()}
    from ${documentStores} where ${scope(db, tenant).foundInWorkspace(documentStores, isElsewhere)}`)
  return { id, statement }
}

/** One unit of it. Resolves to false when nothing is left and the job has ended. */
export async function cleanVectors(task: JobContext): Promise<boolean> {
  const { unused } = task.job.request
  const elsewhere = (await openStoreElsewhere(task))?.remote
  return unused ? removeUnused(task, elsewhere, unused) : removeAll(task, elsewhere)
}

async function removeUnused(task: JobContext, elsewhere: VectorStore | undefined, unused: string[]): Promise<boolean> {
  const from = Number(task.cursor.part ?? 0)
  const ids = unused.slice(from, from + CHUNKS_PER_UNIT)
  await removeElsewhere(elsewhere, ids)
  const next = from + ids.length
  if (next < unused.length) {
    await writeUnit(task, { cursor: { ...task.cursor, part: String(next) } })
    return true
  }
  await endJob(task, { state: 'done', reason: null })
  return false
}

async function removeAll(task: JobContext, elsewhere: VectorStore | undefined): Promise<boolean> {
  const searchIndex = await openSearchIndex(task.db, task.tenant, task.store.id)
  const ids = (await searchIndex?.embeddedChunks(CHUNKS_PER_UNIT, ofLoader(task))) ?? []
  if (!searchIndex || ids.length === 0) {
    await endJob(task, { state: 'done', reason: null })
    return false
  }
  await removeElsewhere(elsewhere, ids)
  await writeUnit(task, { add: { numDeleted: ids.length }, statements: searchIndex.removeVectors(ids) })
  return true
}
