import { keyCredential } from '#contract/flow/params/builders.ts'
import { hostedModel } from './hosted-model.ts'

const openRouterApi = keyCredential(
  { label: 'OpenRouter API', name: 'openRouterApi', hosts: ['openrouter.ai'] },
  { name: 'openRouterApiKey' },
)

export const chatOpenRouter = hostedModel({
  label: 'OpenRouter',
  name: 'chatOpenRouter',
  type: 'ChatOpenRouter',
  version: 1,
  description: 'Models from many providers with one key',
  credential: openRouterApi,
  key: 'openRouterApiKey',
  models: [
    'openai/gpt-4o-mini',
    'anthropic/claude-sonnet-4.5',
    'google/gemini-2.5-flash',
    'meta-llama/llama-3.3-70b-instruct',
  ],
  address: 'https://openrouter.ai/api/v1',
})
