/** Converts a store's settings for embedding, storage, search and refresh to form values and back. Pure. */
import type { SearchMode } from '#contract/document-stores/search.ts'
import type { DocumentStore, SaveVectorConfig } from '#contract/document-stores/stores.ts'
import {
  newTiming,
  type TimingDraft,
  timingDraft,
  timingProblem,
  toTiming,
  unchangedEndDate,
} from '../../../inputs/schedule/timing.ts'
import { type FormErrors, fieldErrors } from '../../../ui/forms/form-errors.ts'
import { checkSearch, defaultMode, type SearchDraft, toConfig, toDraft } from '../query/search-draft.ts'
import type { ComponentChoice } from '../shared/component-choice.ts'

export interface VectorDraft extends SearchDraft {
  /** Null: searched by words only. */
  embedding: ComponentChoice | null
  /** Null: the embedded index. */
  vectorStore: ComponentChoice | null
  mode: SearchMode
  isScheduled: boolean
  timing: TimingDraft
}

/** The component that stands for the store's own index. */
export const EMBEDDED_INDEX = 'libsqlShelf'

type Configs = Pick<
  DocumentStore,
  'embeddingConfig' | 'vectorStoreConfig' | 'recordManagerConfig' | 'searchConfig' | 'scheduleConfig'
>

export function vectorDraft(store: Configs, ownZone: string): VectorDraft {
  const { embeddingConfig, vectorStoreConfig, searchConfig, scheduleConfig } = store
  return {
    embedding: embeddingConfig,
    vectorStore: vectorStoreConfig?.name === EMBEDDED_INDEX ? null : vectorStoreConfig,
    // What a store starts with as soon as it has embeddings.
    mode: defaultMode(searchConfig, true),
    ...toDraft(searchConfig),
    isScheduled: scheduleConfig !== null,
    timing: scheduleConfig ? timingDraft(scheduleConfig) : newTiming(ownZone),
  }
}

interface Missing {
  embedding: string | undefined
  vectorStore: string | undefined
}

/** @param missing what the chosen components lack */
export function checkVector(draft: VectorDraft, missing: Missing): FormErrors {
  const timing = draft.isScheduled ? timingProblem(draft.timing) : null
  return fieldErrors({
    embedding: missing.embedding,
    vectorStore: draft.embedding ? missing.vectorStore : undefined,
    ...checkSearch(draft).fields,
    ...(timing && { [timing.field]: timing.message }),
  })
}

/** Returns what is saved. Without embeddings there are no vectors to keep elsewhere. */
export function buildSaveRequest(store: Configs & { id: string }, draft: VectorDraft): SaveVectorConfig {
  const { embedding, isScheduled, timing, mode } = draft
  const vectorStore = embedding ? draft.vectorStore : null
  const search = { ...toConfig(draft), ...(embedding && mode !== 'hybrid' && { mode }) }
  const { recordManagerConfig } = store
  return {
    storeId: store.id,
    embeddingName: embedding?.name ?? null,
    embeddingConfig: embedding?.config ?? null,
    vectorStoreName: vectorStore?.name ?? null,
    vectorStoreConfig: vectorStore?.config ?? null,
    recordManagerName: recordManagerConfig?.name ?? null,
    recordManagerConfig: recordManagerConfig?.config ?? null,
    searchConfig: Object.keys(search).length > 0 ? search : null,
    scheduleConfig: isScheduled
      ? {
          ...toTiming(timing),
          endDate: unchangedEndDate(timing, store.scheduleConfig ?? undefined) ?? toTiming(timing).endDate,
        }
      : null,
  }
}

/** True when everything is embedded anew. */
export const changesEmbedder = (store: Configs, { embedding }: VectorDraft): boolean =>
  store.embeddingConfig !== null &&
  embedding !== null &&
  JSON.stringify(store.embeddingConfig) !== JSON.stringify(embedding)
