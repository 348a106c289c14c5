import { keyCredential } from '#contract/flow/params/builders.ts'
import { hostedModel } from './hosted-model.ts'

const deepseekApi = keyCredential(
  { label: 'DeepseekAI API', name: 'deepseekApi', hosts: ['api.deepseek.com'] },
  { name: 'deepseekApiKey' },
)

export const chatDeepseek = hostedModel({
  label: 'DeepSeek',
  name: 'chatDeepseek',
  type: 'chatDeepseek',
  version: 1,
  description: 'DeepSeek’s chat and reasoning models',
  credential: deepseekApi,
  key: 'deepseekApiKey',
  models: ['deepseek-chat', 'deepseek-reasoner'],
  address: 'https://api.deepseek.com/v1',
  abilities: { structuredOutput: 'object' },
})
