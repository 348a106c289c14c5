import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ComponentNodeType } from '../../types.ts'
import { requireComponent, toComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { CACHE_CATEGORY } from './definition.ts'

export const inMemoryEmbeddingCache: ComponentNodeType = {
  definition: {
    label: 'InMemory Embedding Cache',
    name: 'inMemoryEmbeddingCache',
    version: 1,
    type: 'InMemoryEmbeddingCache',
    category: CACHE_CATEGORY,
    description: 'Embeds each text only once',
    hint: 'Every flow caches the vectors of its documents for a while, even without this node.',
    baseClasses: ['InMemoryEmbeddingCache', 'Embeddings'],
    inputs: [
      anchor('Embeddings', 'embeddings', 'Embeddings'),
      additionalParam('Namespace', 'namespace', {
        legacy: true,
        description: 'Ignored: kept for compatibility with imported flows',
      }),
    ],
  },
  provide: async (context) =>
    toComponent('embeddings', await requireComponent(context, 'embeddings', 'embeddings', 'embeddings to Embeddings')),
}
