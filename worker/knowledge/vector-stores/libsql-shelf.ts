import { VECTOR_STORE_CATEGORY } from '#contract/flow/params/categories.ts'
import type { VectorStoreType } from '../types.ts'

/** The vectors of a store in its own shelf, beside its words. */
export const libsqlShelf: VectorStoreType = {
  definition: {
    label: 'Embedded index',
    name: 'libsqlShelf',
    type: 'EmbeddedIndex',
    version: 1,
    category: VECTOR_STORE_CATEGORY,
    description: 'The index that every document store has. Nothing to set up.',
    baseClasses: ['EmbeddedIndex'],
    inputs: [],
  },
}
