import { apiChain } from './api-chains.ts'

export const getApiChain = apiChain({
  label: 'GET API Chain',
  name: 'getApiChain',
  type: 'GETApiChain',
  method: 'GET',
  description: 'Answers questions with GET requests that a model writes',
})
