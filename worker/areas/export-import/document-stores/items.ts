/** The items that exports contain for document stores, and what is compared of them. Pure. */
import { canonicalJson, tryParseJson } from '#contract/data/json.ts'
import { exportSettings } from '#contract/flow/document/serialize.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { documentChunks, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { contentOf } from '../items.ts'
import type { ChunkSum } from './chunk-sums.ts'
import type { StoreRow } from './rows.ts'

type Store = typeof documentStores.$inferSelect
type Loader = typeof documentLoaders.$inferSelect
type Source = typeof documentSources.$inferSelect

interface StoreParts {
  loaders: readonly Loader[]
  sources: readonly Source[]
}

type Components = readonly ComponentDefinition[]

/** Schedules are not exported: a refresh needs the credentials and originals that files lack. */
export function storeItem(store: Store, { loaders, sources }: StoreParts, components: Components) {
  const { id, name, description, status, createdDate, updatedDate } = store
  const filesOf = Map.groupBy(sources, ({ docId }) => docId)
  const exported = (text: string | null) => (text === null ? null : exportedConfig(text, components))
  return {
    ...{ id, name, description, status, createdDate, updatedDate, whereUsed: '[]' },
    loaders: JSON.stringify(loaders.map((loader) => loaderItem(loader, filesOf.get(loader.id) ?? [], components))),
    embeddingConfig: exported(store.embeddingConfig),
    vectorStoreConfig: exported(store.vectorStoreConfig),
    recordManagerConfig: exported(store.recordManagerConfig),
    searchConfig: exported(store.searchConfig),
  }
}

function loaderItem(loader: Loader, sources: readonly Source[], components: Components) {
  const { id, loaderId, loaderName, splitterId, splitterName, totalChunks, totalChars, status } = loader
  return {
    ...{ id, loaderId, loaderName, splitterId, splitterName, totalChunks, totalChars, status },
    loaderConfig: exportSettings(tryParseJson(loader.loaderConfig), components),
    splitterConfig: exportSettings(tryParseJson(loader.splitterConfig), components),
    files: sources.map(({ id, name, key, mime, size, status, createdDate }) => ({
      ...{ id, name, key, mimePrefix: mime ?? '', size, status, uploaded: createdDate },
    })),
  }
}

/** Fields unknown to Flowise are written only where they differ from an import's defaults. */
export function chunkItem(chunk: typeof documentChunks.$inferSelect) {
  const { id, docId, storeId, chunkNo, pageContent, metadata, headings, isEnabled, sourceId } = chunk
  return {
    ...{ id, docId, storeId, chunkNo, pageContent, metadata, sourceId },
    ...(headings !== '' && { headings }),
    ...(!isEnabled && { isEnabled }),
  }
}

/** Returns a JSON text or value without secrets and the ids of credentials, equal for equal settings. */
export function exportedConfig(config: unknown, components: Components): string {
  const value = typeof config === 'string' ? tryParseJson(config) : config
  return canonicalJson(exportSettings(value, components)) as string
}

/** Returns a text that is equal for stores that find the same. Files and dates are not part of it. */
export function storeContent(row: StoreRow, { chunks, digest }: ChunkSum, components: Components): string | undefined {
  const { name, description, loaders, embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig } = row
  const settings = loaders.map(({ files: _files, status: _status, ...loader }) => loader)
  return contentOf({
    ...{ name, description },
    settings: exportedConfig(
      [settings, embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig],
      components,
    ),
    chunks: [chunks, String(digest)],
  })
}
