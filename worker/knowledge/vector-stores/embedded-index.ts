import { VECTOR_STORE_CATEGORY } from '#contract/flow/params/categories.ts'
import type { VectorStoreType } from '../types.ts'

/** The vectors of a store in its own search index, beside its words. */
export const embeddedIndex: VectorStoreType = {
  definition: {
    label: 'Embedded index',
    // As saved in the settings of stores.
    name: 'libsqlShelf',
    type: 'EmbeddedIndex',
    version: 1,
    category: VECTOR_STORE_CATEGORY,
    description: 'The index that every document store has. Nothing to set up.',
    baseClasses: ['EmbeddedIndex'],
    inputs: [],
  },
}
