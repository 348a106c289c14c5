import { additionalParam } from '#contract/flow/params/builders.ts'
import { number } from '../../../inputs/component-config.ts'
import { requireComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { topKOf } from '../vector-stores/open-retriever.ts'
import { queryParam, retrieverNode } from './definition.ts'
import { searchingNode } from './retrieved.ts'

const DEFAULT_PERCENT = 80
const DEFAULT_MAX_K = 20

export const similarityThresholdRetriever = searchingNode({
  definition: retrieverNode({
    label: 'Similarity Score Threshold Retriever',
    name: 'similarityThresholdRetriever',
    version: 2,
    type: 'SimilarityThresholdRetriever',
    description: 'Returns only results above a similarity score',
    inputs: [
      anchor('Vector store', 'vectorStore', 'VectorStore'),
      queryParam,
      {
        label: 'Minimum similarity score (%)',
        name: 'minSimilarityScore',
        type: 'number',
        step: 1,
        description: 'Results below this score are dropped',
        default: DEFAULT_PERCENT,
      },
      additionalParam('Max K', 'maxK', {
        type: 'number',
        description: 'Maximum number of results',
        default: DEFAULT_MAX_K,
      }),
      additionalParam('K increment', 'kIncrement', {
        type: 'number',
        legacy: true,
        description: 'Ignored: kept for compatibility with imported flows',
      }),
    ],
  }),
  async open(context) {
    const { inputs } = context
    const store = await requireComponent(context, 'vectorStore', 'vectorStore', 'a vector store')
    const least = (number(inputs, 'minSimilarityScore') ?? DEFAULT_PERCENT) / 100
    const topK = topKOf(inputs, 'maxK', DEFAULT_MAX_K)
    return {
      async search(query, scope) {
        const found = await store.find(query, { topK, ...scope })
        return found.filter(({ score }) => score >= least).map(({ document }) => document)
      },
    }
  },
})
