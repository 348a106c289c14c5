/** What definitions of vector stores have in common. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import { VECTOR_STORE_CATEGORY } from '#contract/flow/params/categories.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { anchor } from '../definition.ts'

export const documentAnchor = anchor('Document', 'document', 'Document', { list: true, optional: true })
export const embeddingsAnchor = anchor('Embeddings', 'embeddings', 'Embeddings')
export const recordManagerAnchor = anchor('Record manager', 'recordManager', 'RecordManager', {
  description: 'Tracks upserted documents to avoid duplicates',
  optional: true,
})
export const topKParam = additionalParam('Top K', 'topK', {
  type: 'number',
  description: 'Number of results. Default: 4',
  placeholder: '4',
})

export const searchTypeParams: InputParam[] = [
  additionalParam('Search type', 'searchType', {
    type: 'options',
    options: [
      { label: 'Similarity', name: 'similarity' },
      {
        label: 'Maximal marginal relevance',
        name: 'mmr',
        description: 'Keeps only the best of similar documents',
      },
    ],
    default: 'similarity',
  }),
  additionalParam('Fetch K (for MMR search)', 'fetchK', {
    type: 'number',
    description: 'Number of candidates. Default: 20',
    placeholder: '20',
  }),
  additionalParam('Lambda (for MMR search)', 'lambda', {
    type: 'number',
    step: 0.1,
    description: 'From 0 (most diverse) to 1 (most similar to the question). Default: 0.5',
    placeholder: '0.5',
  }),
]

interface Parts extends Omit<ComponentDefinition, 'category' | 'baseClasses' | 'outputs' | 'credential'> {
  /** Base classes of the output that is the store itself, besides its own. */
  storeClasses?: string[]
}

export function storeNode({ storeClasses = ['VectorStore'], ...parts }: Parts): ComponentDefinition {
  const baseClasses = [parts.type, 'VectorStoreRetriever', 'BaseRetriever']
  return { ...parts, category: VECTOR_STORE_CATEGORY, baseClasses, outputs: storeOutputs(parts.type, storeClasses) }
}

export function storeOutputs(type: string, storeClasses: string[]): ComponentDefinition['outputs'] {
  return [
    { label: 'Retriever', name: 'retriever', baseClasses: [type, 'VectorStoreRetriever', 'BaseRetriever'] },
    { label: 'Vector store', name: 'vectorStore', baseClasses: [type, ...storeClasses] },
  ]
}
