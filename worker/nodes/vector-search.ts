/** Searches a vector store of someone else with the embedder whose vectors it holds. */
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { number } from '../inputs/component-config.ts'
import { vectorStores } from '../knowledge/vector-stores/index.ts'
import { embedders } from '../models/embeddings/index.ts'
import type { KnowledgeDocument } from '../ports/types.ts'
import type { ComponentContext } from '../providers/types.ts'

interface ComponentChoice {
  name: string
  config: Record<string, unknown>
}

const DEFAULT_TOP_K = 4
const MAX_TOP_K = 100

/** Throws an Error that names what is missing. */
export async function openVectorSearch(
  { store, embedder }: { store: ComponentChoice; embedder: ComponentChoice },
  contextOf: (definition: ComponentDefinition, config: ComponentChoice['config']) => Promise<ComponentContext>,
): Promise<(query: string) => Promise<KnowledgeDocument[]>> {
  const storeType = vectorStores.find(({ definition }) => definition.name === store.name)
  if (!storeType?.open) throw new Error(unknownStore(store.name))
  const embedderType = embedders.find(({ definition }) => definition.name === embedder.name)
  if (!embedderType)
    throw new Error(
      embedder.name === ''
        ? `${storeType.definition.label}: choose the embedding model whose vectors it holds`
        : `The embedding model "${embedder.name}" is not supported. Choose one from the list.`,
    )
  const vectors = storeType.open(await contextOf(storeType.definition, store.config))
  const context = await contextOf(embedderType.definition, embedder.config)
  const embeddings = embedderType.open(context)
  const topK = Math.min(Math.max(Math.floor(number(store.config, 'topK') ?? DEFAULT_TOP_K), 1), MAX_TOP_K)
  return async (query) => {
    const { vectors: embedded } = await embeddings.embed([query], 'query', context.signal)
    const hits = await vectors.search({ vector: embedded[0] as number[], topK })
    return hits.map(({ id, text, metadata }) => ({ id, pageContent: text, metadata }))
  }
}

const unknownStore = (name: string) =>
  name === 'libsqlShelf'
    ? 'The embedded index belongs to a document store. Choose that under Knowledge (document stores).'
    : `The vector store "${name}" is not supported. Choose one from the list, or use a document store.`
