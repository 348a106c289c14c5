import { withoutTrailing } from '#contract/data/text.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { modelName } from '../../models/definition.ts'
import { voyageAIApi } from '../../providers/credentials.ts'
import type { RerankerType } from '../types.ts'
import { rerankerDefinition, rerankOver } from './rerank.ts'

const LABEL = 'Voyage AI Rerank'

export const voyageRerank: RerankerType = {
  definition: rerankerDefinition({
    label: LABEL,
    name: 'voyageRerank',
    type: 'VoyageAIRerank',
    description: 'Reranks results with a Voyage AI model',
    credential: voyageAIApi,
    inputs: [modelName(['rerank-2.5', 'rerank-2.5-lite', 'rerank-2', 'rerank-2-lite'])],
  }),
  credential: voyageAIApi,

  rerank(context, query, texts) {
    const model = needed(text(context.config, 'modelName'), LABEL, 'Model name')
    return rerankOver(
      {
        service: LABEL,
        url: endpointOf(text(context.credential, 'endpoint')),
        apiKey: needed(text(context.credential, 'apiKey'), LABEL, 'the API key in the credential'),
        body: { model, query, documents: texts },
      },
      context,
    )
  },
}

/** The credential holds the address of embeddings, beside which the one of rerankers is. */
const endpointOf = (endpoint = 'https://api.voyageai.com/v1/embeddings') =>
  `${withoutTrailing(endpoint, '/').replace(/\/(embeddings|rerank)$/, '')}/rerank`
