import { returnSourcesParam } from '../chains/retrieval-answer.ts'
import { anchor } from '../definition.ts'
import { chatEngine } from './chat-engine.ts'
import { LLAMA_RETRIEVER } from './llama-index.ts'

export const contextChatEngine = chatEngine({
  label: 'Context Chat Engine',
  name: 'contextChatEngine',
  type: 'ContextChatEngine',
  description: 'Answers from documents and remembers the conversation',
  inputs: [anchor('Vector store retriever', 'vectorStoreRetriever', LLAMA_RETRIEVER), returnSourcesParam],
  system: 'Answer from the context. If the answer is not in it, say that you do not know.',
})
