/** The chains that answer from documents, or choose between several ways to answer. */
import type { ChatNodeType } from '../../types.ts'
import { conversationalRetrievalQAChain } from './conversational-retrieval-qa-chain.ts'
import { multiPromptChain } from './multi-prompt-chain.ts'
import { multiRetrievalQAChain } from './multi-retrieval-qa-chain.ts'
import { retrievalQAChain } from './retrieval-qa-chain.ts'
import { vectorDBQAChain } from './vector-db-qa-chain.ts'

export const retrievalChains: ChatNodeType[] = [
  conversationalRetrievalQAChain,
  retrievalQAChain,
  vectorDBQAChain,
  multiPromptChain,
  multiRetrievalQAChain,
]
