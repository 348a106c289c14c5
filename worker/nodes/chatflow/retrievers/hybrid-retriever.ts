import { additionalParam } from '#contract/flow/params/builders.ts'
import { fuseRanks } from '../../../knowledge/search/fuse-ranks.ts'
import { keywordRanks } from '../../../knowledge/search/keyword-ranks.ts'
import { allInOrder } from '../../../llm/settle-in-order.ts'
import { openComponentsAt, requireComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { topKOf } from '../vector-stores/open-retriever.ts'
import { queryParam, retrieverNode } from './definition.ts'
import { searchingNode, withoutRepeats } from './retrieved.ts'

const CANDIDATES = 50

export const hybridRetriever = searchingNode({
  definition: retrieverNode({
    label: 'Hybrid Retriever',
    name: 'hybridRetriever',
    version: 1,
    type: 'HybridRetriever',
    description: 'Combines semantic and keyword search',
    hint: 'Keyword search covers the connected documents or, if there are none, the results of the vector store.',
    inputs: [
      anchor('Vector store', 'vectorStore', 'VectorStore'),
      anchor('Document', 'document', 'Document', { list: true, optional: true }),
      queryParam,
      additionalParam('Top K', 'topK', {
        type: 'number',
        description: 'Number of results to keep. Default: 4',
        placeholder: '4',
      }),
    ],
  }),
  async open(context) {
    const store = await requireComponent(context, 'vectorStore', 'vectorStore', 'a vector store')
    const sources = await openComponentsAt(context, 'document', 'documents')
    const topK = topKOf(context.inputs)
    return {
      async search(query, scope) {
        const [found, own] = await Promise.all([
          store.find(query, { ...scope, topK: CANDIDATES }),
          allInOrder(sources.map((source) => source.load())),
        ])
        const near = withoutRepeats(found.map(({ document }) => document))
        const worded = sources.length > 0 ? withoutRepeats(own.flat()) : near
        const texts = worded.map(({ pageContent }) => pageContent)
        const byWords = keywordRanks(query, texts).slice(0, CANDIDATES)
        const byText = new Map([...worded, ...near].map((document) => [document.pageContent, document]))
        const fused = fuseRanks([near.map(({ pageContent }) => pageContent), byWords.map((at) => texts[at] as string)])
        return fused.slice(0, topK).flatMap(({ id }) => byText.get(id) ?? [])
      },
    }
  },
})
