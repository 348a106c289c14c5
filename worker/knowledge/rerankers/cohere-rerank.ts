import { additionalParam } from '#contract/flow/params/builders.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { modelName } from '../../models/definition.ts'
import { cohereApi } from '../../providers/credentials.ts'
import type { RerankerType } from '../types.ts'
import { rerankerDefinition, rerankOver } from './rerank.ts'

const LABEL = 'Cohere Rerank'

export const cohereRerank: RerankerType = {
  definition: rerankerDefinition({
    label: LABEL,
    name: 'cohereRerank',
    type: 'CohereRerank',
    description: 'Reranks results with a Cohere model',
    credential: cohereApi,
    inputs: [
      modelName(['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0']),
      additionalParam('Base URL', 'baseURL', { placeholder: 'https://api.cohere.com/v2/rerank' }),
    ],
  }),
  credential: cohereApi,

  rerank(context, query, texts) {
    return rerankOver(
      {
        service: LABEL,
        url: text(context.config, 'baseURL') ?? 'https://api.cohere.com/v2/rerank',
        apiKey: needed(text(context.credential, 'cohereApiKey'), LABEL, 'the API key in the credential'),
        body: { model: needed(text(context.config, 'modelName'), LABEL, 'Model name'), query, documents: texts },
      },
      context,
    )
  },
}
