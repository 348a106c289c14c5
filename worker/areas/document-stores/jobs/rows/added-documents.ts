/** The documents that a job added, as Flowise's clients read them in the answer to an upsert. */
import { and, desc, eq, sql } from 'drizzle-orm'
import type { UpsertResult } from '#contract/document-stores/jobs.ts'
import { MAX_ADDED_DOCS } from '#contract/upserts/upserts.ts'
import { documentChunks } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { openSearchIndex } from '#db/search-index/search-index.ts'
import type { Services } from '../../../../services.ts'
import { parseRecord } from '../../answer-stores.ts'
import type { JobRow } from './job-rows.ts'
import { resultOf } from './read-jobs.ts'

/** Returns the result of a job that has just ended, with the first documents that it added. */
export async function resultWithDocuments(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  job: JobRow,
): Promise<UpsertResult> {
  const result = resultOf(job)
  if (job.numAdded === 0 || job.kind === 'clean') return result
  const limit = Math.min(job.numAdded, MAX_ADDED_DOCS)
  const { storeId, docId, chunkNo, hash, pageContent, metadata } = documentChunks
  const ofJob = and(eq(storeId, job.storeId), job.docId === null ? undefined : eq(docId, job.docId))
  const chunks = (condition = ofJob) =>
    db
      .select({ docId, chunkNo, pageContent, metadata })
      .from(documentChunks)
      .where(scope(db, tenant).foundInWorkspace(documentChunks, condition))
      .limit(limit)
  // A job that reads adds chunks, one that embeds adds vectors: one for each text.
  const embedded =
    job.kind === 'upsert' ? (await openSearchIndex(db, tenant, job.storeId))?.lastHashes(limit) : undefined
  if (job.kind === 'upsert' && !embedded) return result
  const added = embedded
    ? await chunks(and(ofJob, sql`${hash} in (${embedded})`)).groupBy(hash)
    : await chunks().orderBy(desc(sql`${documentChunks}.rowid`))
  const inOrder = added.sort((a, b) => a.docId.localeCompare(b.docId) || a.chunkNo - b.chunkNo)
  const addedDocs = inOrder.map((chunk) => ({
    pageContent: chunk.pageContent,
    metadata: { ...parseRecord(chunk.metadata), docId: chunk.docId },
  }))
  return { ...result, addedDocs }
}
