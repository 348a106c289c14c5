/** The port through which runs search the document stores of their workspace. */
import type { Tenant } from '#db/scope.ts'
import type { Knowledge, KnowledgeSearch } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import type { StoreOptions } from './open-store.ts'
import { parseMetadata, readStoreChunks } from './read-chunks.ts'
import { searchStore } from './search-store.ts'

/** @param options.onSecrets told of the values of credentials that a search opens */
export function openKnowledge(services: Services, tenant: Tenant, options: Omit<StoreOptions, 'signal'>): Knowledge {
  return {
    async search({ store, query, topK, filter, signal }: KnowledgeSearch) {
      const { storeId } = partsOf(store)
      const asked = { ...(topK !== undefined && { topK }), ...(filter && { filter }) }
      const found = await searchStore(services, tenant, { ...options, storeId, query, asked, signal })
      if (!found) throw storeNotFound(store)
      return found.docs.map(({ id, docId, score, pageContent, metadata }) => ({
        pageContent,
        metadata: { ...metadata, docId, score },
        id,
      }))
    },
    async documents({ store, signal }) {
      const { storeId } = partsOf(store)
      const [exists, chunks] = await readStoreChunks(services.db, tenant, { storeId, limit: MAX_DOCUMENTS + 1 })
      signal.throwIfAborted()
      if (!exists) throw storeNotFound(store)
      if (chunks.length > MAX_DOCUMENTS)
        throw new Error(
          `The document store "${partsOf(store).name}" has more than ${MAX_DOCUMENTS} chunks. Use Document Store (Vector), which searches it.`,
        )
      return chunks.map(({ id, docId, pageContent, ...row }) => ({
        ...{ id, pageContent },
        metadata: { ...parseMetadata(row), docId },
      }))
    },
  }
}

/** What one run may take of a store as documents. */
const MAX_DOCUMENTS = 2000

function partsOf(store: string) {
  const [storeId = '', ...name] = store.split(':')
  return { storeId, name: name.join(':') || storeId }
}

const storeNotFound = (store: string) =>
  new Error(`The document store "${partsOf(store).name}" does not exist in this workspace`)
