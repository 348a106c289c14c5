/** Turns a vector store into a retriever, as its node's inputs say. */

import { number } from '../../../inputs/component-config.ts'
import { pickDiverse } from '../../../knowledge/search/pick-diverse.ts'
import type { Embeddings } from '../../../models/embeddings/types.ts'
import type { OpenComponent, StepContext } from '../../types.ts'
import {
  type RetrieverComponent,
  type SearchScope,
  toComponent,
  type VectorStoreComponent,
} from '../component-types.ts'
import { embedDocuments } from './embed-once.ts'

export const DEFAULT_TOP_K = 4
const DEFAULT_FETCH_K = 20
const MAX_K = 100
const DEFAULT_LAMBDA = 0.5

/** Returns what the chosen output of a vector store hands on. */
export function storeComponent(store: VectorStoreComponent, context: StepContext): OpenComponent {
  if (context.output === 'vectorStore') return toComponent('vectorStore', store)
  return toComponent('retriever', storeRetriever(store, context))
}

/** Returns a whole number from 1 to 100. @throws ConfigError when the input is no number */
export function topKOf(inputs: StepContext['inputs'], name = 'topK', fallback = DEFAULT_TOP_K): number {
  return Math.min(Math.max(Math.floor(number(inputs, name) ?? fallback), 1), MAX_K)
}

export function storeRetriever(
  store: VectorStoreComponent,
  { inputs }: Pick<StepContext, 'inputs'>,
): RetrieverComponent {
  const topK = topKOf(inputs)
  const search =
    inputs.searchType === 'mmr'
      ? diverseSearch(store, inputs, topK)
      : (query: string, scope?: SearchScope) => store.find(query, { ...scope, topK })
  return { search: async (query, scope) => (await search(query, scope)).map(({ document }) => document) }
}

/** How alike documents are, their vectors say. */
function diverseSearch(store: VectorStoreComponent, inputs: StepContext['inputs'], topK: number) {
  const fetchK = Math.max(topKOf(inputs, 'fetchK', DEFAULT_FETCH_K), topK)
  const lambda = Math.min(Math.max(number(inputs, 'lambda') ?? DEFAULT_LAMBDA, 0), 1)
  return async (query: string, scope?: SearchScope) => {
    const found = await store.find(query, { ...scope, topK: fetchK })
    const vectors = await store.embed(found.map(({ document }) => document.pageContent))
    const candidates = found.map(({ score }, at) => ({ relevance: score, vector: vectors[at] as Float32Array }))
    return pickDiverse(candidates, { k: topK, lambda }).map((at) => found[at] as (typeof found)[number])
  }
}

/** Returns the component of a vector store that embeds texts as its documents are. */
export const embedderOf =
  (embeddings: Embeddings, { identity, signal, charge }: StepContext): VectorStoreComponent['embed'] =>
  (texts) =>
    embedDocuments(embeddings, texts, { workspaceId: identity.workspaceId, signal, charge })
