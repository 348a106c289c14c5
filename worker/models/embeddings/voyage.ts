import { needed, text } from '../../inputs/component-config.ts'
import { voyageAIApi } from '../../providers/credentials.ts'
import { modelName } from '../definition.ts'
import { batchSize, dimensions, embeddingsDefinition, stripNewLines } from './definition.ts'
import { chosenDimensions, openEmbeddings } from './embeddings.ts'
import { postForVectors, readIndexed } from './plain-request.ts'
import { embeddingPriceOf } from './prices.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'Voyage AI'

export const voyageAIEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'Voyage AI Embeddings',
    name: 'voyageAIEmbeddings',
    type: 'VoyageAIEmbeddings',
    version: 2,
    description: 'Embeddings by Voyage AI',
    credential: voyageAIApi,
    inputs: [
      modelName([
        'voyage-3.5',
        'voyage-3.5-lite',
        'voyage-3-large',
        'voyage-code-3',
        'voyage-finance-2',
        'voyage-law-2',
      ]),
      stripNewLines,
      batchSize,
      dimensions,
    ],
  }),
  credential: voyageAIApi,

  open(context) {
    const { config, credential } = context
    const model = needed(text(config, 'modelName'), LABEL, 'Model name')
    const apiKey = needed(text(credential, 'apiKey'), LABEL, 'the API key in the credential')
    const endpoint = text(credential, 'endpoint')
    const length = chosenDimensions(config)
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['voyageAIEmbeddings', model, length, endpoint],
      maxBatch: 128,
      // The larger models take 120,000 tokens in one request.
      maxChars: 200_000,
      dimensions: length,
      price: endpoint === undefined ? embeddingPriceOf('voyage', model) : undefined,
      async embed({ texts, kind, signal }) {
        const url = endpoint ?? 'https://api.voyageai.com/v1/embeddings'
        const body = { model, input: texts, input_type: kind, output_dimension: length }
        return readIndexed(await postForVectors({ service: LABEL, url, apiKey, body }, context, signal))
      },
    })
  },
}
