import { additionalParam } from '#contract/flow/params/builders.ts'
import { headers, needed, number, text } from '../../inputs/component-config.ts'
import { openAIApi } from '../chat-openai.ts'
import { modelName } from '../definition.ts'
import { modelFetch } from '../model-fetch.ts'
import { batchSize, dimensions, embeddingsDefinition, stripNewLines, timeout } from './definition.ts'
import { chosenDimensions, embedWith, openEmbeddings } from './embeddings.ts'
import { embeddingPriceOf } from './prices.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'OpenAI'

export const openAIEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'OpenAI Embeddings',
    name: 'openAIEmbeddings',
    type: 'OpenAIEmbeddings',
    version: 4,
    description: 'Embeddings by OpenAI',
    credential: openAIApi,
    inputs: [
      modelName(['text-embedding-3-small', 'text-embedding-3-large', 'text-embedding-ada-002']),
      stripNewLines,
      batchSize,
      timeout,
      additionalParam('Base path', 'basepath', { placeholder: 'https://api.openai.com/v1' }),
      additionalParam('Request headers', 'baseOptions', {
        type: 'json',
        description: 'Sent with each request, as a JSON object',
      }),
      dimensions,
    ],
  }),
  credential: openAIApi,

  open(context) {
    const { config, credential, egress } = context
    const name = needed(text(config, 'modelName'), LABEL, 'Model name')
    const apiKey = needed(text(credential, 'openAIApiKey'), LABEL, 'the API key in the credential')
    const baseURL = text(config, 'basepath')
    const length = chosenDimensions(config)
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['openAIEmbeddings', name, length, baseURL],
      maxBatch: 2048,
      dimensions: length,
      price: baseURL === undefined ? embeddingPriceOf('openai', name) : undefined,
      async embed(call) {
        const { createOpenAI } = await import('@ai-sdk/openai')
        const settings = { apiKey, baseURL, headers: headers(config, 'baseOptions') }
        const provider = createOpenAI({ ...settings, fetch: modelFetch(egress, number(config, 'timeout')) })
        return embedWith(provider.embedding(name), { ...call, dimensions: length })
      },
    })
  },
}
