import { needed, text } from '../../inputs/component-config.ts'
import { modelName } from '../../models/definition.ts'
import { jinaAIApi } from '../../providers/credentials.ts'
import type { RerankerType } from '../types.ts'
import { rerankerDefinition, rerankOver } from './rerank.ts'

const LABEL = 'Jina Rerank'

export const jinaRerank: RerankerType = {
  definition: rerankerDefinition({
    label: LABEL,
    name: 'jinaRerank',
    type: 'JinaRerank',
    description: 'Reranks results with a Jina AI model',
    credential: jinaAIApi,
    inputs: [modelName(['jina-reranker-v2-base-multilingual', 'jina-reranker-m0', 'jina-colbert-v2'])],
  }),
  credential: jinaAIApi,

  rerank(context, query, texts) {
    const model = needed(text(context.config, 'modelName'), LABEL, 'Model name')
    return rerankOver(
      {
        service: LABEL,
        url: 'https://api.jina.ai/v1/rerank',
        apiKey: needed(text(context.credential, 'jinaAIAPIKey'), LABEL, 'the API key in the credential'),
        body: { model, query, documents: texts, return_documents: false },
      },
      context,
    )
  },
}
