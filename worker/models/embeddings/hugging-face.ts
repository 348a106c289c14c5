import { ConfigError, needed, text } from '../../inputs/component-config.ts'
import { callServiceJson } from '../../providers/service.ts'
import { huggingFaceApi } from '../hosted/hugging-face.ts'
import { batchSize, embeddingsDefinition, stripNewLines } from './definition.ts'
import { openEmbeddings } from './embeddings.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'Hugging Face'

/** A model's name is part of the address. */
const MODEL_NAME = /^[\w.-]{1,100}(\/[\w.-]{1,100})?$/

export const huggingFaceEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'HuggingFace Inference Embedding',
    name: 'huggingFaceInferenceEmbeddings',
    type: 'HuggingFaceInferenceEmbeddings',
    version: 1,
    description: 'Open embedding models on Hugging Face or on your own endpoint',
    credential: huggingFaceApi,
    inputs: [
      {
        label: 'Model',
        name: 'modelName',
        type: 'string',
        optional: true,
        placeholder: 'sentence-transformers/all-MiniLM-L6-v2',
        description: 'Leave empty when you use your own endpoint',
      },
      {
        label: 'Endpoint',
        name: 'endpoint',
        type: 'string',
        optional: true,
        placeholder: 'https://xyz.eu-west-1.aws.endpoints.huggingface.cloud',
      },
      stripNewLines,
      batchSize,
    ],
  }),
  credential: huggingFaceApi,

  open(context) {
    const { config, credential, egress } = context
    const endpoint = text(config, 'endpoint')
    const url = endpoint ?? buildAddress(needed(text(config, 'modelName'), LABEL, 'Model name'))
    const apiKey = needed(text(credential, 'huggingFaceApiKey'), LABEL, 'the API key in the credential')
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['huggingFaceInferenceEmbeddings', endpoint ?? text(config, 'modelName')],
      maxBatch: 32,
      async embed({ texts, signal }) {
        const headers = { authorization: `Bearer ${apiKey}` }
        const request = { service: LABEL, url, method: 'POST', headers, body: { inputs: texts } }
        const vectors = await callServiceJson(request, { egress, signal })
        return { vectors: Array.isArray(vectors) ? vectors : [] }
      },
    })
  },
}

function buildAddress(model: string): string {
  if (!MODEL_NAME.test(model) || model.includes('..'))
    throw new ConfigError(
      `${LABEL}: a model is named like sentence-transformers/all-MiniLM-L6-v2, not "${model.slice(0, 100)}"`,
    )
  return `https://router.huggingface.co/hf-inference/models/${model}/pipeline/feature-extraction`
}
