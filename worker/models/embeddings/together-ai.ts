import { needed, text } from '../../inputs/component-config.ts'
import { togetherAIApi } from '../hosted/together-ai.ts'
import { batchSize, embeddingsDefinition, stripNewLines } from './definition.ts'
import { openCompatibleEmbeddings } from './openai-custom.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'Together AI'

export const togetherAIEmbedding: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'TogetherAI Embedding',
    name: 'togetherAIEmbedding',
    type: 'TogetherAIEmbedding',
    version: 1,
    description: 'Open embedding models on Together AI',
    credential: togetherAIApi,
    inputs: [
      {
        label: 'Model name',
        name: 'modelName',
        type: 'string',
        placeholder: 'intfloat/multilingual-e5-large-instruct',
      },
      stripNewLines,
      batchSize,
    ],
  }),
  credential: togetherAIApi,

  open(context) {
    const { config, credential } = context
    return openCompatibleEmbeddings(context, {
      label: LABEL,
      component: 'togetherAIEmbedding',
      baseURL: 'https://api.together.xyz/v1',
      modelName: needed(text(config, 'modelName'), LABEL, 'Model name'),
      apiKey: needed(text(credential, 'togetherAIApiKey'), LABEL, 'the API key in the credential'),
    })
  },
}
