import { apiChain } from './api-chains.ts'

export const postApiChain = apiChain({
  label: 'POST API Chain',
  name: 'postApiChain',
  type: 'POSTApiChain',
  method: 'POST',
  description: 'Answers from an API, with POST requests that a model writes',
})
