import { needed, text } from '../../inputs/component-config.ts'
import { cloudflareWorkersAI } from '../../providers/credentials.ts'
import { hostedModel } from './hosted-model.ts'

const LABEL = 'Cloudflare Workers AI'

export const chatCloudflareWorkersAI = hostedModel({
  label: LABEL,
  name: 'chatCloudflareWorkersAI',
  type: 'ChatCloudflareWorkersAI',
  version: 1,
  description: 'Open models on Cloudflare’s network',
  credential: cloudflareWorkersAI,
  key: 'cloudflareWorkersAIKey',
  models: [
    '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
    '@cf/meta/llama-3.1-8b-instruct',
    '@cf/openai/gpt-oss-120b',
    '@cf/openai/gpt-oss-20b',
    '@cf/mistralai/mistral-small-3.1-24b-instruct',
  ],
  address({ credential }) {
    const account = needed(text(credential, 'cloudflareWorkersAccountID'), LABEL, 'the account id in the credential')
    return `https://api.cloudflare.com/client/v4/accounts/${encodeURIComponent(account)}/ai/v1`
  },
})
