import { keyCredential } from '#contract/flow/params/builders.ts'
import { hostedModel } from './hosted-model.ts'

const perplexityApi = keyCredential(
  { label: 'Perplexity API', name: 'perplexityApi', hosts: ['api.perplexity.ai'] },
  { name: 'perplexityApiKey' },
)

export const chatPerplexity = hostedModel({
  label: 'Perplexity',
  name: 'chatPerplexity',
  type: 'ChatPerplexity',
  version: 1,
  description: 'Perplexity’s models that search the web',
  credential: perplexityApi,
  key: 'perplexityApiKey',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning', 'sonar-reasoning-pro'],
  address: 'https://api.perplexity.ai',
})
