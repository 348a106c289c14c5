import type { NodeType } from '../../types.ts'
import { requireComponent } from '../component-types.ts'
import { anchor, chainNode, languageModelAnchor, moderationAnchor } from '../definition.ts'
import { storeRetriever } from '../vector-stores/open-retriever.ts'
import { answeringChain } from './answering-chain.ts'

export const vectorDBQAChain: NodeType = answeringChain(
  chainNode({
    label: 'VectorDB QA Chain',
    name: 'vectorDBQAChain',
    version: 2,
    type: 'VectorDBQAChain',
    description: 'Answers questions from a vector store',
    inputs: [languageModelAnchor, anchor('Vector store', 'vectorStore', 'VectorStore'), moderationAnchor],
  }),
  async (context) =>
    storeRetriever(await requireComponent(context, 'vectorStore', 'vectorStore', 'a vector store'), { inputs: {} }),
)
