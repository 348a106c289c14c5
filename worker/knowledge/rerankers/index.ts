/** All rerankers. */
import type { RerankerType } from '../types.ts'
import { chatModelRerank } from './chat-model-rerank.ts'
import { cohereRerank } from './cohere-rerank.ts'
import { customRerank } from './custom-rerank.ts'
import { jinaRerank } from './jina-rerank.ts'
import { voyageRerank } from './voyage-rerank.ts'

export const rerankers: RerankerType[] = [cohereRerank, jinaRerank, voyageRerank, customRerank, chatModelRerank]
