import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { BoundedCache } from './bounded-cache.ts'
import { cacheNode } from './definition.ts'

const MAX_BYTES = 8 * 1024 ** 2
const answerCache = new BoundedCache<string>(MAX_BYTES, ({ length }) => 2 * length)

export const inMemoryCache: ComponentNodeType = {
  definition: cacheNode({
    label: 'InMemory Cache',
    name: 'inMemoryCache',
    version: 1,
    type: 'InMemoryCache',
    description: 'Caches answers in memory for a short time',
    inputs: [],
  }),
  provide: async () =>
    toComponent('cache', {
      get: async (key) => answerCache.get(key),
      set: async (key, value) => answerCache.set(key, value),
    }),
}
