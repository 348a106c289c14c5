import { withoutTrailing } from '#contract/data/text.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { mistralAIApi } from '../chat-mistral.ts'
import { modelName } from '../definition.ts'
import { modelFetch } from '../model-fetch.ts'
import { batchSize, embeddingsDefinition, stripNewLines } from './definition.ts'
import { embedWith, openEmbeddings } from './embeddings.ts'
import { embeddingPriceOf } from './prices.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'Mistral AI'

export const mistralAIEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'Mistral AI Embeddings',
    name: 'mistralAIEmbeddings',
    type: 'MistralAIEmbeddings',
    version: 2,
    description: 'Embeddings by Mistral AI',
    credential: mistralAIApi,
    inputs: [
      modelName(['mistral-embed', 'codestral-embed']),
      batchSize,
      stripNewLines,
      additionalParam('Override endpoint', 'overrideEndpoint'),
    ],
  }),
  credential: mistralAIApi,

  open(context) {
    const { config, credential, egress } = context
    const name = needed(text(config, 'modelName'), LABEL, 'Model name')
    const apiKey = needed(text(credential, 'mistralAIAPIKey'), LABEL, 'the API key in the credential')
    const endpoint = withoutTrailing(text(config, 'overrideEndpoint') ?? '', '/')
    const baseURL = endpoint === '' ? undefined : endpoint.endsWith('/v1') ? endpoint : `${endpoint}/v1`
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['mistralAIEmbeddings', name, baseURL],
      maxBatch: 32,
      maxChars: 32_000,
      price: baseURL === undefined ? embeddingPriceOf('mistral', name) : undefined,
      async embed(call) {
        const { createMistral } = await import('@ai-sdk/mistral')
        return embedWith(createMistral({ apiKey, baseURL, fetch: modelFetch(egress) }).embedding(name), call)
      },
    })
  },
}
