import { additionalParam } from '#contract/flow/params/builders.ts'
import { fuseRanks } from '../../../knowledge/search/fuse-ranks.ts'
import { allInOrder } from '../../../llm/settle-in-order.ts'
import { requireComponent } from '../component-types.ts'
import { languageModelAnchor } from '../definition.ts'
import { topKOf } from '../vector-stores/open-retriever.ts'
import { askForText } from './ask-for-text.ts'
import { baseRetrieverAnchor, queryParam, retrieverNode } from './definition.ts'
import { openBaseRetriever, searchingNode } from './retrieved.ts'

const DEFAULT_QUERIES = 4
const MAX_QUERIES = 10

export const rrfRetriever = searchingNode({
  definition: retrieverNode({
    label: 'Reciprocal Rank Fusion Retriever',
    name: 'RRFRetriever',
    version: 1,
    type: 'RRFRetriever',
    description: 'Searches with several rephrasings and fuses the rankings',
    inputs: [
      baseRetrieverAnchor,
      languageModelAnchor,
      queryParam,
      additionalParam('Query count', 'queryCount', {
        type: 'number',
        description: 'Number of rephrasings. Default: 4',
        placeholder: '4',
      }),
      additionalParam('Top K', 'topK', {
        type: 'number',
        description: 'Number of results to keep. Default: 4',
        placeholder: '4',
      }),
      additionalParam('Constant', 'c', {
        type: 'number',
        legacy: true,
        description: 'Ignored: kept for compatibility with imported flows',
      }),
    ],
  }),
  async open(context) {
    const { inputs } = context
    const base = await openBaseRetriever(context)
    const model = await requireComponent(context, 'model', 'model', 'a model to Language model')
    const count = Math.min(topKOf(inputs, 'queryCount', DEFAULT_QUERIES), MAX_QUERIES)
    const topK = topKOf(inputs)
    return {
      async search(question, scope) {
        const written = await askForText(
          model,
          `Write ${count} other ways to search for the answer to the question below. Write one on each line, and nothing else.\n\nQuestion: ${question}`,
          context,
        )
        const others = written.split('\n').flatMap((line) => line.trim() || [])
        const queries = [...new Set([question, ...others.slice(0, count)])]
        const found = await allInOrder(queries.map((query) => base.search(query, scope)))
        const byText = new Map(found.flat().map((document) => [document.pageContent, document]))
        const fused = fuseRanks(found.map((documents) => documents.map(({ pageContent }) => pageContent)))
        return fused.slice(0, topK).flatMap(({ id }) => byText.get(id) ?? [])
      },
    }
  },
})
