import { keyCredential } from '#contract/flow/params/builders.ts'
import { hostedModel } from './hosted-model.ts'

const xaiApi = keyCredential(
  { label: 'Xai API', name: 'xaiApi', hosts: ['api.x.ai'] },
  { label: 'xAI API key', name: 'xaiApiKey' },
)

export const chatXAI = hostedModel({
  label: 'xAI',
  name: 'chatXAI',
  type: 'ChatXAI',
  version: 2,
  description: 'Grok models by xAI',
  credential: xaiApi,
  key: 'xaiApiKey',
  models: ['grok-4', 'grok-4-fast', 'grok-3', 'grok-3-mini'],
  address: 'https://api.x.ai/v1',
})
