import { needed, text } from '../../inputs/component-config.ts'
import { googleGenerativeAI } from '../chat-google.ts'
import { modelName } from '../definition.ts'
import { modelFetch } from '../model-fetch.ts'
import { batchSize, dimensions, embeddingsDefinition, stripNewLines } from './definition.ts'
import { chosenDimensions, type EmbeddingKind, embedWith, openEmbeddings } from './embeddings.ts'
import { embeddingPriceOf } from './prices.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'Google'

const RETRIEVAL: Record<EmbeddingKind, string> = { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' }
const OTHER_TASKS = ['SEMANTIC_SIMILARITY', 'CLASSIFICATION', 'CLUSTERING']

export const googleGenerativeAiEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'Google Generative AI Embeddings',
    name: 'googleGenerativeAiEmbeddings',
    type: 'GoogleGenerativeAiEmbeddings',
    version: 2,
    description: 'Gemini embeddings by Google',
    credential: googleGenerativeAI,
    inputs: [
      modelName(['gemini-embedding-001', 'gemini-embedding-2']),
      {
        label: 'Task type',
        name: 'tasktype',
        type: 'options',
        description: 'What the vectors are used for. Retrieval embeds documents and queries differently',
        options: [
          { label: 'Retrieval', name: 'TASK_TYPE_UNSPECIFIED' },
          { label: 'Semantic similarity', name: 'SEMANTIC_SIMILARITY' },
          { label: 'Classification', name: 'CLASSIFICATION' },
          { label: 'Clustering', name: 'CLUSTERING' },
        ],
        default: 'TASK_TYPE_UNSPECIFIED',
        optional: true,
      },
      stripNewLines,
      batchSize,
      dimensions,
    ],
  }),
  credential: googleGenerativeAI,

  open(context) {
    const { config, credential, egress } = context
    const name = needed(text(config, 'modelName'), LABEL, 'Model name')
    const apiKey = needed(text(credential, 'googleGenerativeAPIKey'), LABEL, 'the API key in the credential')
    const chosen = text(config, 'tasktype') ?? ''
    const task = OTHER_TASKS.includes(chosen) ? chosen : undefined
    const length = chosenDimensions(config)
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['googleGenerativeAiEmbeddings', name, length, task],
      maxBatch: 100,
      dimensions: length,
      price: embeddingPriceOf('google', name),
      async embed(call) {
        const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
        const provider = createGoogleGenerativeAI({ apiKey, fetch: modelFetch(egress) })
        const providerOptions = { google: { taskType: task ?? RETRIEVAL[call.kind] } }
        return embedWith(provider.embedding(name), { ...call, dimensions: length, providerOptions })
      },
    })
  },
}
