/** Retrievers that reorder with a reranking service. */
import { cohereRerank } from '../../../knowledge/rerankers/cohere-rerank.ts'
import { jinaRerank } from '../../../knowledge/rerankers/jina-rerank.ts'
import { voyageRerank } from '../../../knowledge/rerankers/voyage-rerank.ts'
import type { ChatNodeType } from '../../types.ts'
import { rerankingNode } from './reranking.ts'

export const rerankingRetrievers: ChatNodeType[] = [
  rerankingNode(cohereRerank, {
    label: 'Cohere Rerank Retriever',
    name: 'cohereRerankRetriever',
    version: 1,
    type: 'Cohere Rerank Retriever',
    description: 'Reranks another retriever’s results with Cohere',
    modelInput: 'model',
  }),
  rerankingNode(jinaRerank, {
    label: 'Jina AI Rerank Retriever',
    name: 'JinaRerankRetriever',
    version: 1,
    type: 'JinaRerankRetriever',
    description: 'Reranks another retriever’s results with Jina AI',
    modelInput: 'model',
  }),
  rerankingNode(voyageRerank, {
    label: 'Voyage AI Rerank Retriever',
    name: 'voyageAIRerankRetriever',
    version: 1,
    type: 'VoyageAIRerankRetriever',
    description: 'Reranks another retriever’s results with Voyage AI',
    modelInput: 'model',
  }),
]
