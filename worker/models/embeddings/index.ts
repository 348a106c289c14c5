/** All embedders. */
import type { EmbedderType } from '../../knowledge/types.ts'
import { cohereEmbeddings } from './cohere.ts'
import { googleGenerativeAiEmbeddings } from './google.ts'
import { jinaEmbeddings } from './jina.ts'
import { localAIEmbeddings, ollamaEmbedding } from './local-servers.ts'
import { mistralAIEmbeddings } from './mistral.ts'
import { openAIEmbeddings } from './openai.ts'
import { openAIEmbeddingsCustom } from './openai-custom.ts'
import { practiceEmbeddings } from './practice-embeddings.ts'
import { voyageAIEmbeddings } from './voyage.ts'
import { workersAIEmbeddings } from './workers-ai.ts'

export const embedders: EmbedderType[] = [
  openAIEmbeddings,
  googleGenerativeAiEmbeddings,
  mistralAIEmbeddings,
  cohereEmbeddings,
  voyageAIEmbeddings,
  jinaEmbeddings,
  workersAIEmbeddings,
  ollamaEmbedding,
  localAIEmbeddings,
  openAIEmbeddingsCustom,
  practiceEmbeddings,
]
