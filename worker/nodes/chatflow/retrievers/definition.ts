/** What definitions of retrievers have in common. */
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { anchor } from '../definition.ts'

export const RETRIEVER_CATEGORY = 'Retrievers'

export const baseRetrieverAnchor = anchor(
  'Vector store retriever',
  'baseRetriever',
  'VectorStoreRetriever | BaseRetriever',
)

type Parts = Omit<ComponentDefinition, 'category' | 'baseClasses'>

export function retrieverNode(parts: Parts): ComponentDefinition {
  return { ...parts, category: RETRIEVER_CATEGORY, baseClasses: [parts.type, 'BaseRetriever'] }
}

export const queryParam: InputParam = {
  label: 'Query',
  name: 'query',
  type: 'string',
  description: 'Search query. Defaults to the user’s question',
  optional: true,
  acceptVariable: true,
}
