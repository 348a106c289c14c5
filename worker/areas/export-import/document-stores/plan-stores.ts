/** Plans the document stores of an import, with their loaders and sources. Their chunks follow them. Pure. */

import { storedFileNames } from '#contract/document-stores/file-inputs.ts'
import { CHUNK_QUOTA } from '#contract/document-stores/limits.ts'
import type { LoaderState } from '#contract/document-stores/states.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Bundle, BundleRow } from '#contract/export-import/export-import.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { documentLoaders, documentSources } from '#db/schema/index.ts'
import { isUuid } from '../ids.ts'
import { type Decided, decide, type Existing, type Planned } from '../items.ts'
import { ownIds, readRows, type Taking } from '../take-rows.ts'
import { addSums, type ChunkSums, type LoaderSums } from './chunk-sums.ts'
import { exportedConfig, storeContent } from './items.ts'
import { type FileRow, type LoaderRow, STORE_KEYS, type StoreRow, storeRow } from './rows.ts'
import { type ChunkDestination, chunkTaker, type OpenChunkTaker } from './take-chunks.ts'

export interface ExistingStore extends Existing {
  chunks: number
  /** JSON texts, with the ids of their credentials. */
  configs: string[]
}

export interface StoresPresent {
  /** Those with ids of the file. */
  existing: ReadonlyMap<string, ExistingStore>
  ids: ReadonlySet<string>
  /** The stores of the loaders, sources and chunks, in any workspace, that have ids of the file. */
  owners: ReadonlyMap<string, string>
  usedChunks: number
}

type Unstamped<Row> = Omit<Row, 'workspaceId' | 'createdDate' | 'updatedDate'>
type LoaderValues = Unstamped<typeof documentLoaders.$inferInsert>
export type SourceValues = Unstamped<typeof documentSources.$inferInsert>

interface StoreValues {
  id: string
  name: string
  description: string
  embeddingConfig: string | null
  vectorStoreConfig: string | null
  recordManagerConfig: string | null
  searchConfig: string | null
  totalChunks: number
  totalChars: number
  createdDate?: string
}

export interface PlannedStore {
  store: Planned<StoreValues>
  loaders: LoaderValues[]
  sources: SourceValues[]
}

interface Deciding extends Pick<Taking, 'list' | 'notes'> {
  present: { stores: StoresPresent }
  components: readonly ComponentDefinition[]
  chunks: ChunkSums
}

export function decideStores(bundle: Bundle, deciding: Deciding): Decided<StoreRow>[] {
  const { present, components, chunks } = deciding
  const reading = { key: 'DocumentStore', schema: storeRow, kept: STORE_KEYS } as const
  const seen = new Set<string | undefined>()
  return readRows(bundle.DocumentStore, reading, deciding).map((read) => {
    const row = { ...read, id: seen.has(read.id) ? undefined : read.id }
    seen.add(read.id)
    const { id = '', name } = row
    const docIds = [...new Set(row.loaders.map((loader) => loader.id))]
    const sums = docIds.flatMap((docId) => [...chunks.ofLoader(row.id, docId).values()])
    return decide(
      {
        ...{ key: 'DocumentStore', row, id, name, existing: present.stores.existing.get(id) },
        content: storeContent(row, addSums(sums), components),
        needs: row.embeddingConfig || row.vectorStoreConfig ? 'Choose its credentials, then upsert it' : undefined,
      },
      bundle.choices,
    )
  })
}

/** Returns the taken ids of loaders, sources and chunks, except those that a replaced store gives up. */
export function storePartsToRename(
  stores: readonly Decided<StoreRow>[],
  chunks: readonly BundleRow[],
  { owners }: StoresPresent,
): string[] {
  const chunksOf = Map.groupBy(chunks, ({ storeId }) => storeId)
  return stores.flatMap(({ row, id, item }) => {
    if (item.choice === 'skip') return []
    const isFree = (part: string) => !owners.has(part) || (item.choice === 'replace' && owners.get(part) === id)
    const parts = [...row.loaders, ...row.loaders.flatMap(({ files }) => files), ...(chunksOf.get(id) ?? [])]
    return parts.flatMap(({ id: part }) => (typeof part === 'string' && !(isUuid(part) && isFree(part)) ? [part] : []))
  })
}

interface PlanningStores {
  take: Taking
  present: StoresPresent
  components: readonly ComponentDefinition[]
  chunks: ChunkSums
}

interface StoresPlan {
  stores: PlannedStore[]
  openChunks: OpenChunkTaker
}

/** Throws `too_large` when the workspace would have more chunks than it may. */
export function planStores(decided: readonly Decided<StoreRow>[], planning: PlanningStores): StoresPlan {
  const { take, present } = planning
  const ids = { store: ownIds(take), loader: ownIds(take), source: ownIds(take) }
  const chosen = decided.filter(({ item }) => item.choice !== 'skip')
  const planned = chosen.map((each) => planStore(each, { ...planning, ids }))
  const given = chosen.map(({ id, item }) => (item.choice === 'replace' ? (present.existing.get(id)?.chunks ?? 0) : 0))
  const added = planned.reduce((sum, { store }, index) => sum + store.totalChunks - (given[index] as number), 0)
  if (added > 0 && present.usedChunks + added > CHUNK_QUOTA) {
    throw new HeddleError(
      'too_large',
      `This workspace may have ${CHUNK_QUOTA.toLocaleString('en')} chunks, and the file needs more. Skip a document store, or delete what is no longer searched`,
    )
  }
  const places = new Map<string, ReadonlyMap<string, ChunkDestination | undefined>>(
    decided.map(({ id, row }) => [id, new Map(row.loaders.map((loader) => [loader.id, undefined]))]),
  )
  for (const [index, { id }] of chosen.entries()) places.set(id, planned[index]?.places ?? new Map())
  return {
    stores: planned.map(({ places: _, ...store }) => store),
    openChunks: (before) => chunkTaker(places, take, before),
  }
}

type Ids = Record<'store' | 'loader' | 'source', (id: string | undefined) => string>

function planStore({ row, item }: Decided<StoreRow>, planning: PlanningStores & { ids: Ids }) {
  const { ids, take, present, components, chunks } = planning
  const isReplacing = item.choice === 'replace'
  const id = isReplacing ? (row.id as string) : ids.store(row.id)
  const own = isReplacing ? (present.existing.get(id)?.configs ?? []) : []
  const kept = new Map(own.map((text) => [exportedConfig(text, components), text]))
  // Settings that are as before keep their credentials.
  const textOf = (config: unknown): string => {
    const text = exportedConfig(config, components)
    return kept.get(text) ?? take.renaming.renameInText(text)
  }
  const optional = (config: unknown) => (config === null ? null : textOf(config))
  const places = new Map<string, ChunkDestination>()
  const parts = row.loaders.map((loader) => {
    // Of two loaders with one id, the first has the chunks.
    const sums: LoaderSums = places.has(loader.id) ? new Map() : chunks.ofLoader(row.id, loader.id)
    for (const name of fileNames(loader)) take.list.add('DocumentStore', { name }, NO_ORIGINALS)
    const { place, ...part } = planLoader({ loader, sums, storeId: id }, { ids, textOf })
    if (!places.has(loader.id)) places.set(loader.id, place)
    return part
  })
  const totals = totalsOf(parts.map((part) => part.loader))
  return {
    store: {
      ...{ id, isReplacing, name: row.name, description: row.description },
      embeddingConfig: optional(row.embeddingConfig),
      vectorStoreConfig: optional(row.vectorStoreConfig),
      recordManagerConfig: optional(row.recordManagerConfig),
      searchConfig: optional(row.searchConfig),
      ...totals,
      ...(row.createdDate && { createdDate: row.createdDate }),
    },
    loaders: parts.map((part) => part.loader),
    sources: parts.flatMap((part) => part.sources),
    places,
  }
}

const totalsOf = (parts: readonly { totalChunks: number; totalChars: number }[]) => ({
  totalChunks: parts.reduce((sum, { totalChunks }) => sum + totalChunks, 0),
  totalChars: parts.reduce((sum, { totalChars }) => sum + totalChars, 0),
})

const NO_ORIGINALS = 'Files hold no originals. Their chunks are found; add them again to read them anew'

const fileNames = ({ loaderConfig }: LoaderRow): string[] =>
  Object.values(loaderConfig).flatMap((value) => storedFileNames(value) ?? [])

interface LoaderParts {
  loader: LoaderRow
  sums: LoaderSums
  storeId: string
}

function planLoader(
  { loader, sums, storeId }: LoaderParts,
  { ids, textOf }: { ids: Ids; textOf(config: unknown): string },
) {
  const { loaderId, loaderName, splitterId, splitterName } = loader
  const docId = ids.loader(loader.id)
  const { sources, sourceOf } = planSources(loader, { ids, storeId, docId })
  const ofSource = Map.groupBy(sums, ([fileId]) => sourceOf(fileId))
  const { chunks, chars } = addSums(sums.values())
  const unread: LoaderState = chunks > 0 ? 'STALE' : 'NEW'
  const place: ChunkDestination = { storeId, docId, sourceOf }
  return {
    place,
    loader: {
      ...{ id: docId, storeId, loaderId, loaderName, splitterId, splitterName },
      ...{ loaderConfig: textOf(loader.loaderConfig), splitterConfig: textOf(loader.splitterConfig) },
      status: loader.status === 'SYNC' ? ('SYNC' as const) : unread,
      ...{ totalChunks: chunks, totalChars: chars },
    },
    sources: sources.map((source) => {
      const own = addSums((ofSource.get(source.id) ?? []).map(([, sum]) => sum))
      return { ...source, chunks: own.chunks, chars: own.chars }
    }),
  }
}

/** Each loader has one source at least, because each chunk belongs to one. */
function planSources(
  { files, loaderId, loaderName }: LoaderRow,
  { ids, storeId, docId }: { ids: Ids; storeId: string; docId: string },
) {
  const byFile = new Map<string | undefined, string>()
  const keys = new Set<string>()
  const whole: FileRow = { name: loaderName || loaderId, size: 0, status: 'SYNC' }
  const sources = (files.length > 0 ? files : [whole]).map(({ id: fileId, name, key = name, mimePrefix, ...rest }) => {
    const id = ids.source(fileId)
    byFile.set(fileId, id)
    const own = keys.has(key) ? id : key
    keys.add(own)
    return { ...rest, id, storeId, docId, name, key: own, mime: mimePrefix || null, isStored: false }
  })
  const first = sources[0]?.id as string
  return { sources, sourceOf: (fileId: string | undefined) => (fileId && byFile.get(fileId)) || first }
}
