/** Vector stores over HTTP as nodes of chat flows. */
import type { VectorStore, VectorStoreType } from '../../../knowledge/types.ts'
import type { ChatNodeType, ComponentNodeType, StepContext } from '../../types.ts'
import { requireComponent, type VectorStoreComponent } from '../component-types.ts'
import { componentContext } from '../components.ts'
import {
  documentAnchor,
  embeddingsAnchor,
  recordManagerAnchor,
  searchTypeParams,
  storeOutputs,
  topKParam,
} from './definition.ts'
import { embedQuery } from './embed-once.ts'
import { DEFAULT_TOP_K, embedderOf, storeComponent } from './open-retriever.ts'
import { upsertDocuments } from './upsert-documents.ts'

/** Asked, it searches what the store holds. What is connected as documents is written by an upsert. */
export function vectorStoreNode(type: VectorStoreType): ChatNodeType & Pick<ComponentNodeType, 'provide'> {
  const { definition, credential } = type
  return {
    definition: {
      ...definition,
      inputs: [
        writtenDocuments,
        embeddingsAnchor,
        recordManagerAnchor,
        ...definition.inputs,
        topKParam,
        ...searchTypeParams,
      ],
      outputs: storeOutputs(definition.type, ['VectorStore']),
    },
    ...(credential && { credentials: [credential] }),
    runsFor: [],
    run: (context) => upsertDocuments(context, () => openStore(type, context)),
    provide: async (context) => storeComponent(await searchedStore(type, context), context),
  }
}

const writtenDocuments = {
  ...documentAnchor,
  description: 'Written by Upsert. Questions search the last upsert',
}

async function openStore(type: VectorStoreType, context: StepContext): Promise<VectorStore> {
  const store = type.open?.(await componentContext(context, type.definition))
  if (!store) throw new Error(`${context.node.label} cannot be searched from a flow. Use a document store.`)
  return store
}

async function searchedStore(type: VectorStoreType, context: StepContext): Promise<VectorStoreComponent> {
  const embeddings = await requireComponent(context, 'embeddings', 'embeddings', 'embeddings to Embeddings')
  const store = await openStore(type, context)
  return {
    embed: embedderOf(embeddings, context),
    async find(query, { topK = DEFAULT_TOP_K, filter } = {}) {
      const vector = await embedQuery(embeddings, query, context)
      const hits = await store.search({ vector, topK, filter })
      return hits.map(({ id, score, text, metadata }) => ({
        document: { id, pageContent: text, metadata },
        score,
      }))
    },
  }
}
