/** Takes the chunks of an import, which follow their stores. Pure. */
import { embeddedText } from '#contract/document-stores/embedded-text.ts'
import { countTokens } from '#contract/document-stores/tokens.ts'
import type { BundleRow } from '#contract/export-import/export-import.ts'
import type { documentChunks } from '#db/schema/index.ts'
import { chunkHash } from '../../../knowledge/chunk-hash.ts'
import { ownIds, readRows, type Taking } from '../take-rows.ts'
import { chunkRow } from './rows.ts'

export type PlannedChunk = Omit<typeof documentChunks.$inferInsert, 'workspaceId'>

/** The destination of a loader's chunks. */
export interface ChunkDestination {
  storeId: string
  docId: string
  /** @param fileId the file that a chunk names */
  sourceOf(fileId: string | undefined): string
}

/** Takes rows page by page; lists those whose store is not in the file. */
export type ChunkTaker = (rows: BundleRow[]) => PlannedChunk[]

/** @param before the ids of chunks of earlier pages */
export type OpenChunkTaker = (before?: readonly string[]) => ChunkTaker

const NO_STORE = 'Its document store or loader is not in the file'

/** @param places by the ids that stores and loaders have in the file; undefined where the store is skipped */
export function chunkTaker(
  places: ReadonlyMap<string, ReadonlyMap<string, ChunkDestination | undefined>>,
  take: Taking,
  before: readonly string[] = [],
): ChunkTaker {
  const ids = ownIds(take, new Set(before))
  return (rows) =>
    readRows(rows, { key: 'DocumentStoreFileChunk', schema: chunkRow }, take).flatMap((row) => {
      const loaders = places.get(row.storeId)
      const place = loaders?.get(row.docId)
      if (!loaders?.has(row.docId)) take.list.add('DocumentStoreFileChunk', row, NO_STORE)
      if (!place) return []
      const { chunkNo, pageContent, headings, isEnabled } = row
      const { storeId, docId } = place
      const hash = chunkHash(headings, pageContent)
      return {
        ...{ id: ids(row.id), storeId, docId, sourceId: place.sourceOf(row.sourceId) },
        ...{ chunkNo, pageContent, headings, isEnabled, hash, originHash: hash },
        metadata: take.renaming.renameInText(row.metadata),
        tokens: countTokens(embeddedText(headings, pageContent)),
      }
    })
}
