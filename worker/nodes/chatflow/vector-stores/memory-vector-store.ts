import type { ChatNodeType } from '../../types.ts'
import { documentAnchor, embeddingsAnchor, storeNode, topKParam } from './definition.ts'
import { openMemoryStore } from './memory-search.ts'
import { storeComponent } from './open-retriever.ts'
import { tryDocuments } from './upsert-documents.ts'

export const memoryVectorStore: ChatNodeType = {
  definition: storeNode({
    label: 'In-Memory Vector Store',
    name: 'memoryVectorStore',
    version: 1,
    type: 'Memory',
    description: 'Embeds its documents when the flow runs. For larger collections, use a document store',
    inputs: [documentAnchor, embeddingsAnchor, { ...topKParam, additionalParams: false }],
  }),
  runsFor: [],
  run: tryDocuments,
  provide: async (context) => storeComponent(await openMemoryStore(context), context),
}
