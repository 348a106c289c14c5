import { needed, text } from '../../inputs/component-config.ts'
import { jinaAIApi } from '../../providers/credentials.ts'
import { modelName } from '../definition.ts'
import { batchSize, dimensions, embeddingsDefinition, stripNewLines } from './definition.ts'
import { chosenDimensions, type EmbeddingKind, openEmbeddings } from './embeddings.ts'
import { postForVectors, readIndexed } from './plain-request.ts'
import { embeddingPriceOf } from './prices.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'Jina AI'

const TASKS: Record<EmbeddingKind, string> = { document: 'retrieval.passage', query: 'retrieval.query' }

/** The second generation knows neither tasks nor chosen dimensions. */
const isSecondGeneration = (model: string) => /-v2\b/.test(model)

export const jinaEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'Jina Embeddings',
    name: 'jinaEmbeddings',
    type: 'JinaEmbeddings',
    version: 3,
    description: 'Embeddings by Jina AI',
    hint: 'Late chunking is not used because a text’s vector would depend on the other texts in the request.',
    credential: jinaAIApi,
    inputs: [
      modelName(['jina-embeddings-v3', 'jina-embeddings-v4', 'jina-embeddings-v2-base-en']),
      { ...dimensions, name: 'modelDimensions', default: 1024 },
      stripNewLines,
      batchSize,
    ],
  }),
  credential: jinaAIApi,

  open(context) {
    const { config, credential } = context
    const model = needed(text(config, 'modelName'), LABEL, 'Model name')
    const apiKey = needed(text(credential, 'jinaAIAPIKey'), LABEL, 'the API key in the credential')
    const isOld = isSecondGeneration(model)
    const length = isOld ? undefined : chosenDimensions(config, 'modelDimensions')
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['jinaEmbeddings', model, length],
      maxBatch: 512,
      dimensions: length,
      price: embeddingPriceOf('jina', model),
      async embed({ texts, kind, signal }) {
        const newer = isOld ? {} : { task: TASKS[kind], dimensions: length }
        const body = { model, input: texts, embedding_type: 'float', ...newer }
        const url = 'https://api.jina.ai/v1/embeddings'
        return readIndexed(await postForVectors({ service: LABEL, url, apiKey, body }, context, signal))
      },
    })
  },
}
