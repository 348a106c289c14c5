import type { NodeType } from '../../types.ts'
import { requireComponent } from '../component-types.ts'
import { anchor, chainNode, languageModelAnchor, moderationAnchor } from '../definition.ts'
import { answeringChain } from './answering-chain.ts'

export const retrievalQAChain: NodeType = answeringChain(
  chainNode({
    label: 'Retrieval QA Chain',
    name: 'retrievalQAChain',
    version: 2,
    type: 'RetrievalQAChain',
    baseClasses: ['BaseRetrievalQAChain'],
    description: 'Answers questions from documents',
    inputs: [
      languageModelAnchor,
      anchor('Vector store retriever', 'vectorStoreRetriever', 'BaseRetriever'),
      moderationAnchor,
    ],
  }),
  (context) => requireComponent(context, 'vectorStoreRetriever', 'retriever', 'a retriever'),
)
