import { cohereApi } from '../../providers/credentials.ts'
import { hostedModel } from './hosted-model.ts'

export const chatCohere = hostedModel({
  label: 'Cohere',
  name: 'chatCohere',
  type: 'ChatCohere',
  version: 2,
  description: 'Command models by Cohere',
  credential: cohereApi,
  key: 'cohereApiKey',
  models: ['command-a-03-2025', 'command-r-plus', 'command-r', 'command-r7b-12-2024'],
  address: 'https://api.cohere.ai/compatibility/v1',
})
