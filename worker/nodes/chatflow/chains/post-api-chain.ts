import { apiChain } from './api-chains.ts'

export const postApiChain = apiChain({
  label: 'POST API Chain',
  name: 'postApiChain',
  type: 'POSTApiChain',
  method: 'POST',
  description: 'Answers questions with POST requests that a model writes',
})
