import { keyCredential } from '#contract/flow/params/builders.ts'
import { hostedModel } from './hosted-model.ts'

const cerebrasAIApi = keyCredential(
  { label: 'Cerebras API Key', name: 'cerebrasAIApi', hosts: ['api.cerebras.ai'] },
  { label: 'Cerebras API key', name: 'cerebrasApiKey' },
)

export const chatCerebras = hostedModel({
  label: 'Cerebras',
  name: 'chatCerebras',
  type: 'ChatCerebras',
  version: 2,
  description: 'Open models on Cerebras’ fast inference hardware',
  credential: cerebrasAIApi,
  key: 'cerebrasApiKey',
  models: ['llama-3.3-70b', 'gpt-oss-120b', 'qwen-3-32b'],
  address: 'https://api.cerebras.ai/v1',
})
