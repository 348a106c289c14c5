import { additionalParam } from '#contract/flow/params/builders.ts'
import { number } from '../../../inputs/component-config.ts'
import { anchor } from '../definition.ts'
import { neededPart } from '../roles.ts'
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
    description: 'Finds only what resembles the question enough',
    inputs: [
      anchor('Vector Store', 'vectorStore', 'VectorStore'),
      queryParam,
      {
        label: 'Minimum Similarity Score (%)',
        name: 'minSimilarityScore',
        type: 'number',
        step: 1,
        description: 'What resembles the question less is left out',
        default: DEFAULT_PERCENT,
      },
      additionalParam('Max K', 'maxK', {
        type: 'number',
        description: 'How many documents are found at most',
        default: DEFAULT_MAX_K,
      }),
      additionalParam('K Increment', 'kIncrement', { type: 'number', legacy: true, description: 'Not used here' }),
    ],
  }),
  async open(context) {
    const { inputs } = context
    const store = await neededPart(context, 'vectorStore', 'vectorStore', 'a vector store')
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
