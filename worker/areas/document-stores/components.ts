/** The components of document stores, by kind and name. */
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { loaders } from '../../knowledge/loaders/index.ts'
import { rerankers } from '../../knowledge/rerankers/index.ts'
import { splitters } from '../../knowledge/splitters/index.ts'
import type { LoaderType } from '../../knowledge/types.ts'
import { vectorStores } from '../../knowledge/vector-stores/index.ts'
import { embedders } from '../../models/embeddings/index.ts'

/** The components of document stores, by the last part of their address. Each store has its own record manager. */
export const COMPONENTS = {
  loaders,
  splitters,
  embeddings: embedders,
  vectorstore: vectorStores,
  recordmanager: [],
  rerankers,
} satisfies Record<string, readonly { definition: ComponentDefinition }[]>

export type ComponentKind = keyof typeof COMPONENTS

export const definitionsOf = (kind: ComponentKind): ComponentDefinition[] =>
  COMPONENTS[kind].map(({ definition }) => definition)

export const findLoaderType = (name: string): LoaderType | undefined =>
  loaders.find(({ definition }) => definition.name === name)

export const findDefinition = (kind: ComponentKind, name: string): ComponentDefinition | undefined =>
  definitionsOf(kind).find((definition) => definition.name === name)
