import { keyCredential } from '#contract/flow/params/builders.ts'
import { hostedModel } from './hosted-model.ts'

export const togetherAIApi = keyCredential(
  { label: 'TogetherAI API', name: 'togetherAIApi', hosts: ['api.together.xyz'] },
  { name: 'togetherAIApiKey' },
)

export const chatTogetherAI = hostedModel({
  label: 'Together AI',
  name: 'chatTogetherAI',
  type: 'ChatTogetherAI',
  version: 2,
  description: 'Open models on Together AI',
  credential: togetherAIApi,
  key: 'togetherAIApiKey',
  models: [
    'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    'Qwen/Qwen3-235B-A22B-Instruct-2507-tput',
    'deepseek-ai/DeepSeek-V3',
  ],
  address: 'https://api.together.xyz/v1',
})
