import type { PartType } from '../../types.ts'
import { partOf } from '../roles.ts'
import { BoundedCache } from './bounded-cache.ts'
import { cacheNode } from './definition.ts'

const MAX_BYTES = 8 * 1024 ** 2
const kept = new BoundedCache<string>(MAX_BYTES, ({ length }) => 2 * length)

export const inMemoryCache: PartType = {
  definition: cacheNode({
    label: 'InMemory Cache',
    name: 'inMemoryCache',
    version: 1,
    type: 'InMemoryCache',
    description: 'Keeps answers in the memory of the server that gave them, for a while',
    inputs: [],
  }),
  provide: async () =>
    partOf('cache', {
      get: async (key) => kept.get(key),
      set: async (key, value) => kept.set(key, value),
    }),
}
