/** All embedders. */

import { azureOpenAIEmbeddings } from './azure-openai.ts'
import { bedrockEmbeddings } from './bedrock.ts'
import { cohereEmbeddings } from './cohere.ts'
import { googleGenerativeAiEmbeddings } from './google.ts'
import { huggingFaceEmbeddings } from './hugging-face.ts'
import { jinaEmbeddings } from './jina.ts'
import { localAIEmbeddings, ollamaEmbedding } from './local-servers.ts'
import { mistralAIEmbeddings } from './mistral.ts'
import { openAIEmbeddings } from './openai.ts'
import { openAIEmbeddingsCustom } from './openai-custom.ts'
import { practiceEmbeddings } from './practice-embeddings.ts'
import { togetherAIEmbedding } from './together-ai.ts'
import type { EmbedderType } from './types.ts'
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
  azureOpenAIEmbeddings,
  bedrockEmbeddings,
  huggingFaceEmbeddings,
  togetherAIEmbedding,
  ollamaEmbedding,
  localAIEmbeddings,
  openAIEmbeddingsCustom,
  practiceEmbeddings,
]
