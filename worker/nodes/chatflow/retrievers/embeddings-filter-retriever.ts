import { number } from '../../../inputs/component-config.ts'
import { requireComponent } from '../component-types.ts'
import { embeddingsAnchor } from '../vector-stores/definition.ts'
import { embedDocuments, embedQuery } from '../vector-stores/embed-once.ts'
import { cosine } from '../vector-stores/memory-search.ts'
import { topKOf } from '../vector-stores/open-retriever.ts'
import { baseRetrieverAnchor, queryParam, retrieverNode } from './definition.ts'
import { openBaseRetriever, searchingNode } from './retrieved.ts'

const DEFAULT_K = 20

export const embeddingsFilterRetriever = searchingNode({
  definition: retrieverNode({
    label: 'Embeddings Filter Retriever',
    name: 'embeddingsFilterRetriever',
    version: 1,
    type: 'EmbeddingsFilterRetriever',
    description: 'Filters another retriever’s results by similarity',
    inputs: [
      baseRetrieverAnchor,
      embeddingsAnchor,
      queryParam,
      {
        label: 'Similarity threshold',
        name: 'similarityThreshold',
        type: 'number',
        step: 0.1,
        description: 'From 0 to 1. Results below this score are dropped. Set this or K',
        default: 0.8,
        optional: true,
      },
      {
        label: 'K',
        name: 'k',
        type: 'number',
        step: 1,
        description: 'Number of results to keep. Set this or a similarity threshold',
        default: DEFAULT_K,
        optional: true,
        additionalParams: true,
      },
    ],
  }),
  async open(context) {
    const { inputs, identity } = context
    const base = await openBaseRetriever(context)
    const embeddings = await requireComponent(context, 'embeddings', 'embeddings', 'embeddings to Embeddings')
    const least = number(inputs, 'similarityThreshold') ?? -1
    const k = topKOf(inputs, 'k', DEFAULT_K)
    return {
      async search(query, scope) {
        const documents = await base.search(query, scope)
        if (documents.length === 0) return []
        const vector = await embedQuery(embeddings, query, context)
        const texts = documents.map(({ pageContent }) => pageContent)
        const vectors = await embedDocuments(embeddings, texts, { ...context, workspaceId: identity.workspaceId })
        return documents
          .map((document, at) => ({ document, score: cosine(vector, vectors[at] as Float32Array) }))
          .filter(({ score }) => score >= least)
          .sort((a, b) => b.score - a.score)
          .slice(0, k)
          .map(({ document }) => document)
      },
    }
  },
})
