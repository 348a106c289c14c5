import type { PartType } from '../../types.ts'
import { anchor } from '../definition.ts'
import { neededPart, partOf } from '../roles.ts'
import { storeRetriever } from '../vector-stores/open-retriever.ts'
import { RETRIEVER_CATEGORY } from './definition.ts'
import { routeOf, routeParams } from './route.ts'

export const vectorStoreRetriever: PartType = {
  definition: {
    label: 'Vector Store Retriever',
    name: 'vectorStoreRetriever',
    version: 1,
    type: 'VectorStoreRetriever',
    category: RETRIEVER_CATEGORY,
    description: 'One option for a Multi Retrieval QA Chain',
    baseClasses: ['VectorStoreRetriever'],
    inputs: [
      anchor('Vector store', 'vectorStore', 'VectorStore'),
      ...routeParams('Retriever', { name: 'netflix', description: 'Good for questions about Netflix' }),
    ],
  },
  async provide(context) {
    const store = await neededPart(context, 'vectorStore', 'vectorStore', 'a vector store')
    return partOf('route', { ...routeOf(context), retriever: storeRetriever(store, { inputs: {} }) })
  },
}
