import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ChatNodeType } from '../../types.ts'
import { documentAnchor, embeddingsAnchor, storeNode, topKParam } from './definition.ts'
import { openMemoryStore } from './memory-search.ts'
import { storeComponent } from './open-retriever.ts'
import { tryDocuments } from './upsert-documents.ts'

export const faiss: ChatNodeType = {
  definition: storeNode({
    label: 'Faiss',
    name: 'faiss',
    version: 1,
    type: 'Faiss',
    storeClasses: ['SaveableVectorStore', 'VectorStore'],
    description: 'Searches the connected documents',
    hint: 'Embeds its documents when the flow runs and stores nothing on disk. For larger collections, use a document store.',
    inputs: [
      documentAnchor,
      embeddingsAnchor,
      additionalParam('Base path to load', 'basePath', {
        legacy: true,
        description: 'Ignored: kept for compatibility with imported flows',
      }),
      topKParam,
    ],
  }),
  runsFor: [],
  run: tryDocuments,
  provide: async (context) => storeComponent(await openMemoryStore(context), context),
}
