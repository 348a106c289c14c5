import { isRecord } from '#contract/data/json.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { cohereApi } from '../../providers/credentials.ts'
import { modelName } from '../definition.ts'
import { batchSize, dimensions, embeddingsDefinition, stripNewLines } from './definition.ts'
import { chosenDimensions, type EmbeddingKind, openEmbeddings } from './embeddings.ts'
import { postForVectors, tokensIn } from './plain-request.ts'
import { embeddingPriceOf } from './prices.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'Cohere'

const RETRIEVAL: Record<EmbeddingKind, string> = { document: 'search_document', query: 'search_query' }
const OTHER_TYPES = ['classification', 'clustering']

export const cohereEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'Cohere Embeddings',
    name: 'cohereEmbeddings',
    type: 'CohereEmbeddings',
    version: 3,
    description: 'Embeddings by Cohere',
    credential: cohereApi,
    inputs: [
      modelName(['embed-v4.0', 'embed-multilingual-v3.0', 'embed-english-v3.0', 'embed-english-light-v3.0']),
      {
        label: 'Type',
        name: 'inputType',
        type: 'options',
        description: 'What the vectors are used for. Search embeds documents and queries differently',
        options: [
          { label: 'Search', name: 'search_document' },
          { label: 'Classification', name: 'classification' },
          { label: 'Clustering', name: 'clustering' },
        ],
        default: 'search_document',
        optional: true,
      },
      stripNewLines,
      batchSize,
      dimensions,
    ],
  }),
  credential: cohereApi,

  open(context) {
    const { config, credential } = context
    const model = needed(text(config, 'modelName'), LABEL, 'Model name')
    const apiKey = needed(text(credential, 'cohereApiKey'), LABEL, 'the API key in the credential')
    const chosen = text(config, 'inputType') ?? ''
    const type = OTHER_TYPES.includes(chosen) ? chosen : undefined
    const length = chosenDimensions(config)
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['cohereEmbeddings', model, length, type],
      maxBatch: 96,
      dimensions: length,
      price: embeddingPriceOf('cohere', model),
      async embed({ texts, kind, signal }) {
        const { embeddings, meta } = await postForVectors(
          {
            service: LABEL,
            url: 'https://api.cohere.com/v2/embed',
            apiKey,
            body: {
              model,
              texts,
              input_type: type ?? RETRIEVAL[kind],
              embedding_types: ['float'],
              output_dimension: length,
            },
          },
          context,
          signal,
        )
        const vectors = isRecord(embeddings) && Array.isArray(embeddings.float) ? embeddings.float : []
        return { vectors, tokens: tokensIn(isRecord(meta) ? meta.billed_units : undefined, 'input_tokens') }
      },
    })
  },
}
