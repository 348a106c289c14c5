/** The port through which runs search the document stores of their workspace. */
import type { Tenant } from '#db/scope.ts'
import type { Knowledge, KnowledgeSearch } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import type { StoreOptions } from './open-store.ts'
import { searchStore } from './search-store.ts'

/** @param options.onSecrets told of the values of credentials that a search opens */
export function openKnowledge(services: Services, tenant: Tenant, options: Omit<StoreOptions, 'signal'>): Knowledge {
  return {
    async search({ store, query, topK, signal }: KnowledgeSearch) {
      const [storeId = '', ...name] = store.split(':')
      const asked = topK === undefined ? undefined : { topK }
      const found = await searchStore(services, tenant, { ...options, storeId, query, asked, signal })
      if (!found) throw new Error(`The document store "${name.join(':') || storeId}" does not exist in this workspace`)
      return found.docs.map(({ id, docId, score, pageContent, metadata }) => ({
        pageContent,
        metadata: { ...metadata, docId, score },
        id,
      }))
    },
  }
}
