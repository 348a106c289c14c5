import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ChatNodeType } from '../../types.ts'
import { documentAnchor, embeddingsAnchor, storeNode, topKParam } from './definition.ts'
import { openMemoryStore } from './memory-search.ts'
import { storePart } from './open-retriever.ts'
import { tryDocuments } from './upsert-documents.ts'

export const faiss: ChatNodeType = {
  definition: storeNode({
    label: 'Faiss',
    name: 'faiss',
    version: 1,
    type: 'Faiss',
    storeClasses: ['SaveableVectorStore', 'VectorStore'],
    description: 'Searches the documents that are connected to it',
    hint: 'Here it reads and embeds its documents when the flow runs, and has no folder on a disk. Use a document store for many documents.',
    inputs: [
      documentAnchor,
      embeddingsAnchor,
      additionalParam('Base Path to load', 'basePath', { legacy: true, description: 'Not used here' }),
      topKParam,
    ],
  }),
  runsFor: [],
  run: tryDocuments,
  provide: async (context) => storePart(await openMemoryStore(context), context),
}
