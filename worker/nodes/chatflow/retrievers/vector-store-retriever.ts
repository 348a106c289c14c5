import type { ComponentNodeType } from '../../types.ts'
import { requireComponent, toComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { storeRetriever } from '../vector-stores/open-retriever.ts'
import { RETRIEVER_CATEGORY } from './definition.ts'
import { requireRoute, routeParams } from './route.ts'

export const vectorStoreRetriever: ComponentNodeType = {
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
    const store = await requireComponent(context, 'vectorStore', 'vectorStore', 'a vector store')
    return toComponent('route', { ...requireRoute(context), retriever: storeRetriever(store, { inputs: {} }) })
  },
}
