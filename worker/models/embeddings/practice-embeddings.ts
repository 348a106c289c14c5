import { embeddingsDefinition } from './definition.ts'
import { PRACTICE_DIMENSIONS, practiceVector } from './practice-vector.ts'
import type { EmbedderType } from './types.ts'

/** Tries the way of vectors without a key. */
export const practiceEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'Practice Embeddings (matches spelling, not meaning)',
    name: 'practiceEmbeddings',
    type: 'PracticeEmbeddings',
    version: 1,
    description:
      'For trying vector search without a provider. Matches spelling, not meaning, so don’t use it in production',
    inputs: [],
  }),

  open: () => ({
    identity: `practiceEmbeddings 1 ${PRACTICE_DIMENSIONS}`,
    maxBatch: 64,
    price: 0,
    embed: (texts) => Promise.resolve({ vectors: texts.map(practiceVector), tokens: 0 }),
  }),
}
