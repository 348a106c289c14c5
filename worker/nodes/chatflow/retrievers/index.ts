/** The retrievers of chat flows, and the tool that searches with one. */
import type { ChatNodeType, ComponentNodeType } from '../../types.ts'
import { customRetriever } from './custom-retriever.ts'
import { embeddingsFilterRetriever } from './embeddings-filter-retriever.ts'
import { extractMetadataRetriever } from './extract-metadata-retriever.ts'
import { hybridRetriever } from './hybrid-retriever.ts'
import { hydeRetriever } from './hyde-retriever.ts'
import { llmFilterRetriever } from './llm-filter-retriever.ts'
import { multiQueryRetriever } from './multi-query-retriever.ts'
import { promptRetriever } from './prompt-retriever.ts'
import { rerankingRetrievers } from './rerankers.ts'
import { retrieverTool } from './retriever-tool.ts'
import { rrfRetriever } from './rrf-retriever.ts'
import { similarityThresholdRetriever } from './similarity-threshold-retriever.ts'
import { vectorStoreRetriever } from './vector-store-retriever.ts'

export const retrieverComponents: ComponentNodeType[] = [
  promptRetriever,
  vectorStoreRetriever,
  multiQueryRetriever,
  retrieverTool,
]

/** Those that run where their documents or their text are asked for. */
export const retrieverNodes: ChatNodeType[] = [
  similarityThresholdRetriever,
  hydeRetriever,
  rrfRetriever,
  ...rerankingRetrievers,
  embeddingsFilterRetriever,
  llmFilterRetriever,
  customRetriever,
  hybridRetriever,
  extractMetadataRetriever,
]
