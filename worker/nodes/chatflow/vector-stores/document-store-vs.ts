/** A document store as a retriever: it is searched as it was set up. */

import { textOf } from '../../../inputs/node-inputs.ts'
import { practiceVector } from '../../../models/embeddings/practice-vector.ts'
import type { ComponentNodeType, StepContext } from '../../types.ts'
import { toComponent, type VectorStoreComponent } from '../component-types.ts'
import { selectedStoreParam } from '../document-loaders/stored-documents.ts'
import { storeNode, storeOutputs } from './definition.ts'

export const documentStoreVS: ComponentNodeType = {
  definition: {
    ...storeNode({
      label: 'Document Store (Vector)',
      name: 'documentStoreVS',
      version: 1,
      type: 'DocumentStoreVS',
      description: 'Searches a document store',
      inputs: [selectedStoreParam],
    }),
    baseClasses: ['DocumentStoreVS'],
    outputs: storeOutputs('DocumentStoreVS', ['VectorStore']),
  },
  async provide(context) {
    const store = openDocumentStore(context)
    if (context.output === 'vectorStore') return toComponent('vectorStore', store)
    return toComponent('retriever', {
      search: async (query, scope) => (await store.find(query, scope)).map(({ document }) => document),
    })
  },
}

function openDocumentStore({ inputs, knowledge, signal }: StepContext): VectorStoreComponent {
  const store = textOf(inputs.selectedStore).trim()
  if (store === '') throw new Error('Choose a document store')
  return {
    // The store's own vectors stay in its search index: how alike texts are, their spelling says.
    embed: async (texts) => texts.map((text) => Float32Array.from(practiceVector(text))),
    async find(query, scope) {
      const found = await knowledge.search({ store, query, ...scope, signal })
      return found.map((document) => ({ document, score: Number(document.metadata.score ?? 0) }))
    },
  }
}
