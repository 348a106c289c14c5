/** What definitions of vector stores have in common. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import { VECTOR_STORE_CATEGORY } from '#contract/flow/params/categories.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { anchor } from '../definition.ts'

export const documentAnchor = anchor('Document', 'document', 'Document', { list: true, optional: true })
export const embeddingsAnchor = anchor('Embeddings', 'embeddings', 'Embeddings')
export const recordManagerAnchor = anchor('Record Manager', 'recordManager', 'RecordManager', {
  description: 'Knows what was upserted, so that nothing is written twice',
  optional: true,
})
export const topKParam = additionalParam('Top K', 'topK', {
  type: 'number',
  description: 'How many documents are found. Default: 4',
  placeholder: '4',
})

export const searchTypeParams: InputParam[] = [
  additionalParam('Search Type', 'searchType', {
    type: 'options',
    options: [
      { label: 'Similarity', name: 'similarity' },
      {
        label: 'Max Marginal Relevance',
        name: 'mmr',
        description: 'Of documents that say the same, only the best',
      },
    ],
    default: 'similarity',
  }),
  additionalParam('Fetch K (for MMR Search)', 'fetchK', {
    type: 'number',
    description: 'How many documents are looked at. Default: 20',
    placeholder: '20',
  }),
  additionalParam('Lambda (for MMR Search)', 'lambda', {
    type: 'number',
    step: 0.1,
    description: '0 finds the most different documents, 1 the most similar to the question. Default: 0.5',
    placeholder: '0.5',
  }),
]

interface Parts extends Omit<ComponentDefinition, 'category' | 'baseClasses' | 'outputs' | 'credential'> {
  /** Of the output with the store itself, besides its own. */
  storeClasses?: string[]
}

export function storeNode({ storeClasses = ['VectorStore'], ...parts }: Parts): ComponentDefinition {
  const baseClasses = [parts.type, 'VectorStoreRetriever', 'BaseRetriever']
  return { ...parts, category: VECTOR_STORE_CATEGORY, baseClasses, outputs: storeOutputs(parts, storeClasses) }
}

export function storeOutputs(
  { label, type }: Pick<ComponentDefinition, 'label' | 'type'>,
  storeClasses: string[],
): ComponentDefinition['outputs'] {
  return [
    { label: `${label} Retriever`, name: 'retriever', baseClasses: [type, 'VectorStoreRetriever', 'BaseRetriever'] },
    { label: `${label} Vector Store`, name: 'vectorStore', baseClasses: [type, ...storeClasses] },
  ]
}
