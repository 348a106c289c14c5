/** Any server with a `/rerank` address: vLLM, Infinity, LocalAI, llama.cpp, LiteLLM and hosted ones. */
import { withoutTrailing } from '#contract/data/text.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { headers, needed, text } from '../../inputs/component-config.ts'
import { openAIApi } from '../../models/chat-openai.ts'
import type { RerankerType } from '../types.ts'
import { rerankerDefinition, rerankOver } from './rerank.ts'

const LABEL = 'Rerank server'

export const customRerank: RerankerType = {
  definition: rerankerDefinition({
    label: 'Any /rerank endpoint (vLLM, Infinity, llama.cpp...)',
    name: 'customRerank',
    type: 'CustomRerank',
    description: 'Reranks results with a model on any server with a /rerank endpoint',
    credential: openAIApi,
    credentialOptional: true,
    inputs: [
      { label: 'Base path', name: 'basepath', type: 'string', placeholder: 'http://localhost:8000/v1' },
      { label: 'Model name', name: 'modelName', type: 'string', optional: true, placeholder: 'bge-reranker-v2-m3' },
      additionalParam('Request headers', 'baseOptions', {
        type: 'json',
        description: 'Sent with each request, as a JSON object',
      }),
    ],
  }),
  credential: openAIApi,

  rerank(context, query, texts) {
    const { config, credential } = context
    const address = withoutTrailing(needed(text(config, 'basepath'), LABEL, 'Base path'), '/')
    return rerankOver(
      {
        service: LABEL,
        url: address.endsWith('/rerank') ? address : `${address}/rerank`,
        apiKey: text(credential, 'openAIApiKey'),
        headers: headers(config, 'baseOptions'),
        body: { model: text(config, 'modelName'), query, documents: texts },
      },
      context,
    )
  },
}
