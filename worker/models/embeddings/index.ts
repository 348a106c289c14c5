/** All embedders. */
import type { EmbedderType } from '../../knowledge/types.ts'
import { openAIEmbeddings } from './openai.ts'
import { openAIEmbeddingsCustom } from './openai-custom.ts'

export const embedders: EmbedderType[] = [openAIEmbeddings, openAIEmbeddingsCustom]
