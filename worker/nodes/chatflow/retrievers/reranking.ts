/** Rerankers of document stores as retrievers that reorder what another one finds. */

import { additionalParam } from '#contract/flow/params/builders.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import type { RerankerType } from '../../../knowledge/types.ts'
import type { ChatNodeType } from '../../types.ts'
import { componentContext } from '../components.ts'
import { topKOf } from '../vector-stores/open-retriever.ts'
import { baseRetrieverAnchor, queryParam, retrieverNode } from './definition.ts'
import { openBaseRetriever, searchingNode } from './retrieved.ts'

interface RerankingParts {
  label: string
  name: string
  version: number
  type: string
  description: string
  /** Which model is used, by the reranker's name of the input. */
  modelInput: string
  /** In place of the reranker's own input for it. */
  model?: InputParam
  topKLabel?: string
}

export function rerankingNode(reranker: RerankerType, { modelInput, model, ...parts }: RerankingParts): ChatNodeType {
  const { definition, credential } = reranker
  const own = definition.inputs.find(({ name }) => name === 'modelName')
  const chosen = model ?? (own && { ...own, name: modelInput })
  const node = retrieverNode({
    ...parts,
    ...(definition.credential && { credential: definition.credential }),
    inputs: [
      baseRetrieverAnchor,
      ...(chosen ? [chosen] : []),
      queryParam,
      additionalParam('Top K', 'topK', {
        type: 'number',
        description: 'Number of results to keep. Default: 4',
        placeholder: '4',
      }),
    ],
  })
  return searchingNode({
    definition: node,
    ...(credential && { credentials: [credential] }),
    async open(context) {
      const base = await openBaseRetriever(context)
      const component = await componentContext(context, node)
      const config = { ...component.config, modelName: component.config[modelInput] || own?.default }
      const rerankers = { ...component, config, openModel: context.components.model }
      const topK = topKOf(context.inputs)
      return {
        async search(query, scope) {
          const documents = await base.search(query, scope)
          if (documents.length === 0) return []
          const texts = documents.map(({ pageContent }) => pageContent)
          const scores = await reranker.rerank(rerankers, query, texts)
          return documents
            .map((document, at) => ({ document, score: scores[at] as number }))
            .sort((a, b) => b.score - a.score)
            .slice(0, topK)
            .map(({ document, score }) => ({ ...document, metadata: { ...document.metadata, relevance_score: score } }))
        },
      }
    },
  })
}
