/** What definitions of caches have in common. */
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { anchor } from '../definition.ts'

export const CACHE_CATEGORY = 'Cache'

export const cacheAnchor: InputParam = anchor('Cache', 'cache', 'BaseCache', {
  description: 'Reuses answers to repeated questions',
  optional: true,
})

export const cacheNode = (own: Omit<ComponentDefinition, 'category' | 'baseClasses'>): ComponentDefinition => ({
  ...own,
  category: CACHE_CATEGORY,
  baseClasses: [own.type, 'BaseCache'],
})
