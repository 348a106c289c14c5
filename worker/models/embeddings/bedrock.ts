import { needed, text } from '../../inputs/component-config.ts'
import { awsApi } from '../../providers/credentials.ts'
import { modelName } from '../definition.ts'
import { bedrockRegion, endpointHost, openBedrock } from '../hosted/bedrock.ts'
import { batchSize, embeddingsDefinition, stripNewLines } from './definition.ts'
import { embedWith, openEmbeddings } from './embeddings.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'AWS Bedrock'

/** Other families take one text in a request. */
const COHERE_BATCH = 96
const COHERE_TYPES = ['search_document', 'search_query', 'classification', 'clustering'] as const
const RETRIEVAL = { document: 'search_document', query: 'search_query' } as const

export const bedrockEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'AWS Bedrock Embedding',
    name: 'AWSBedrockEmbeddings',
    type: 'AWSBedrockEmbeddings',
    version: 5.1,
    description: 'Embedding models on AWS',
    credential: awsApi,
    inputs: [
      bedrockRegion,
      {
        ...modelName([
          'amazon.titan-embed-text-v2:0',
          'amazon.titan-embed-text-v1',
          'cohere.embed-english-v3',
          'cohere.embed-multilingual-v3',
        ]),
        name: 'model',
      },
      {
        label: 'Custom model name',
        name: 'customModel',
        type: 'string',
        optional: true,
        description: 'Replaces the model selected above',
      },
      endpointHost,
      {
        label: 'Cohere input type',
        name: 'inputType',
        type: 'options',
        optional: true,
        description:
          'What the vectors are used for. Defaults to search, which embeds documents and queries differently',
        options: COHERE_TYPES.map((name) => ({ label: name, name })),
      },
      stripNewLines,
      batchSize,
    ],
  }),
  credential: awsApi,

  open(context) {
    const { config, credential, egress } = context
    const name = needed(text(config, 'customModel') ?? text(config, 'model'), LABEL, 'Model name')
    const chosen = COHERE_TYPES.find((type) => type === text(config, 'inputType'))
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['AWSBedrockEmbeddings', name, chosen],
      maxBatch: name.includes('cohere.') ? COHERE_BATCH : 1,
      async embed(call) {
        const provider = await openBedrock({ config, credential, egress })
        const bedrock = { inputType: chosen ?? RETRIEVAL[call.kind] }
        return embedWith(provider.embeddingModel(name), { ...call, providerOptions: { bedrock } })
      },
    })
  },
}
