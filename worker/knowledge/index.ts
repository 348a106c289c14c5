/** Every component of document stores. */
import { embedders } from '../models/embeddings/index.ts'
import { rerankers } from './rerankers/index.ts'
import { vectorStores } from './vector-stores/index.ts'

export const knowledgeComponents = [...embedders, ...vectorStores, ...rerankers]
