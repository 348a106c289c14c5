import { keyCredential } from '#contract/flow/params/builders.ts'
import { hostedModel } from './hosted-model.ts'

const fireworksApi = keyCredential(
  { label: 'Fireworks API', name: 'fireworksApi', hosts: ['api.fireworks.ai'] },
  { name: 'fireworksApiKey' },
)

export const chatFireworks = hostedModel({
  label: 'Fireworks AI',
  name: 'chatFireworks',
  type: 'ChatFireworks',
  version: 2,
  description: 'Open models on Fireworks AI',
  credential: fireworksApi,
  key: 'fireworksApiKey',
  models: [
    'accounts/fireworks/models/llama-v3p3-70b-instruct',
    'accounts/fireworks/models/deepseek-v3p1',
    'accounts/fireworks/models/gpt-oss-120b',
  ],
  address: 'https://api.fireworks.ai/inference/v1',
})
