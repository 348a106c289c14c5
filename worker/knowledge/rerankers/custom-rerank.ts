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
    label: 'Any /rerank address (vLLM, Infinity, llama.cpp...)',
    name: 'customRerank',
    type: 'CustomRerank',
    description: 'Orders what was found with a model on any server that has a /rerank address',
    credential: openAIApi,
    credentialOptional: true,
    inputs: [
      { label: 'Base Path', name: 'basepath', type: 'string', placeholder: 'http://localhost:8000/v1' },
      { label: 'Model Name', name: 'modelName', type: 'string', optional: true, placeholder: 'bge-reranker-v2-m3' },
      additionalParam('Base Options', 'baseOptions', { type: 'json', description: 'Extra request headers' }),
    ],
  }),
  credential: openAIApi,

  rerank(context, query, texts) {
    const { config, credential } = context
    const address = withoutTrailing(needed(text(config, 'basepath'), LABEL, 'Base Path'), '/')
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
