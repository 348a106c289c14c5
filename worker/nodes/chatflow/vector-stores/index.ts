/** The vector stores of chat flows. */
import { vectorStores } from '../../../knowledge/vector-stores/index.ts'
import type { ChatNodeType, ComponentNodeType } from '../../types.ts'
import { documentStoreVS } from './document-store-vs.ts'
import { faiss } from './faiss.ts'
import { memoryVectorStore } from './memory-vector-store.ts'
import { vectorStoreNode } from './store-node.ts'

export const vectorStoreComponents: ComponentNodeType[] = [documentStoreVS]

/** They fill what they search, when they are asked to. */
export const vectorStoreNodes: ChatNodeType[] = [
  memoryVectorStore,
  ...vectorStores.filter(({ open }) => open).map(vectorStoreNode),
  faiss,
]
