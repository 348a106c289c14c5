/** Cloudflare's models, at its REST address, wherever this worker runs. */
import { isRecord } from '#contract/data/json.ts'
import { ConfigError, needed, text } from '../../inputs/component-config.ts'
import { cloudflareWorkersAI } from '../../providers/credentials.ts'
import { modelName } from '../definition.ts'
import { batchSize, embeddingsDefinition, stripNewLines } from './definition.ts'
import { openEmbeddings } from './embeddings.ts'
import { postForVectors } from './plain-request.ts'
import { embeddingPriceOf } from './prices.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'Cloudflare Workers AI'

/** A model's name is part of the address. */
const MODEL_NAME = /^@(cf|hf)\/[\w-]+\/[\w.-]+$/

export const workersAIEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'Cloudflare Workers AI Embeddings',
    name: 'cloudflareWorkersAIEmbeddings',
    type: 'CloudflareWorkersAIEmbeddings',
    version: 1,
    description: 'Open embedding models on Cloudflare',
    credential: cloudflareWorkersAI,
    inputs: [
      modelName([
        '@cf/baai/bge-m3',
        '@cf/baai/bge-base-en-v1.5',
        '@cf/baai/bge-small-en-v1.5',
        '@cf/baai/bge-large-en-v1.5',
      ]),
      stripNewLines,
      batchSize,
    ],
  }),
  credential: cloudflareWorkersAI,

  open(context) {
    const { config, credential } = context
    const model = needed(text(config, 'modelName'), LABEL, 'Model name')
    if (!MODEL_NAME.test(model))
      throw new ConfigError(`${LABEL}: a model is named like @cf/baai/bge-m3, not "${model}"`)
    const account = needed(text(credential, 'cloudflareWorkersAccountID'), LABEL, 'the account ID in the credential')
    const apiKey = needed(text(credential, 'cloudflareWorkersAIKey'), LABEL, 'the API key in the credential')
    const accounts = 'https://api.cloudflare.com/client/v4/accounts'
    const url = `${accounts}/${encodeURIComponent(account)}/ai/run/${model}`
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['cloudflareWorkersAIEmbeddings', model],
      maxBatch: 100,
      maxChars: 100_000,
      price: embeddingPriceOf('cloudflare', model),
      async embed({ texts, signal }) {
        const body = { text: texts }
        const { result } = await postForVectors({ service: LABEL, url, apiKey, body }, context, signal)
        return { vectors: isRecord(result) && Array.isArray(result.data) ? result.data : [] }
      },
    })
  },
}
