/** Plans the document stores of an import, with their loaders, sources and chunks. Pure. */

import { embeddedText } from '#contract/document-stores/embedded-text.ts'
import { storedFileNames } from '#contract/document-stores/file-inputs.ts'
import { CHUNK_QUOTA } from '#contract/document-stores/limits.ts'
import type { LoaderState, StoreState } from '#contract/document-stores/states.ts'
import { countTokens } from '#contract/document-stores/tokens.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Bundle } from '#contract/export-import.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { documentChunks, documentLoaders, documentSources } from '#db/schema/index.ts'
import { chunkHash } from '../../../knowledge/chunk-hash.ts'
import { isUuid } from '../ids.ts'
import { type Decided, decide, type Existing, type Planned } from '../items.ts'
import { ownIds, readRows, type Taking } from '../take-rows.ts'
import { exportedConfig, storeContent } from './items.ts'
import { type ChunkRow, chunkRow, type FileRow, type LoaderRow, STORE_KEYS, type StoreRow, storeRow } from './rows.ts'

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
type SourceValues = Unstamped<typeof documentSources.$inferInsert>
type ChunkValues = Unstamped<typeof documentChunks.$inferInsert>

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
  /** Of the store, once the words of its chunks are found. */
  status: StoreState
  loaders: LoaderValues[]
  sources: SourceValues[]
  chunks: (ChunkValues & { headings: string; isEnabled: boolean })[]
}

interface Deciding extends Pick<Taking, 'list' | 'notes'> {
  present: { stores: StoresPresent }
  components: readonly ComponentDefinition[]
}

const NO_STORE = 'Its document store or loader is not in the file'

export function decideStores(bundle: Bundle, deciding: Deciding): Decided<StoreRow>[] {
  const { list, present, components } = deciding
  const reading = { key: 'DocumentStore', schema: storeRow, kept: STORE_KEYS } as const
  const seen = new Set<string | undefined>()
  const rows = readRows(bundle.DocumentStore, reading, deciding).map((row): StoreRow => {
    const isFirst = !seen.has(row.id)
    seen.add(row.id)
    return { ...row, id: isFirst ? row.id : undefined, chunks: [] }
  })
  const byId = new Map(rows.flatMap((row) => (row.id === undefined ? [] : [[row.id, row]])))
  const chunks = readRows(bundle.DocumentStoreFileChunk, { key: 'DocumentStoreFileChunk', schema: chunkRow }, deciding)
  for (const chunk of chunks) {
    const row = byId.get(chunk.storeId)
    if (row?.loaders.some(({ id }) => id === chunk.docId)) row.chunks.push(chunk)
    else list.add('DocumentStoreFileChunk', chunk, NO_STORE)
  }
  return rows.map((row) => {
    const { id = '', name } = row
    const compared = row.chunks.map((chunk) => ({ ...chunk, hash: chunkHash(chunk.headings, chunk.pageContent) }))
    return decide(
      {
        ...{ key: 'DocumentStore', row, id, name, existing: present.stores.existing.get(id) },
        content: storeContent(row, compared, components),
        needs: row.embeddingConfig || row.vectorStoreConfig ? 'Choose its credentials, then upsert it' : undefined,
      },
      bundle.choices,
    )
  })
}

/** Returns the taken ids of loaders, sources and chunks, except those that a replaced store gives up. */
export function storePartsToRename(stores: readonly Decided<StoreRow>[], { owners }: StoresPresent): string[] {
  return stores.flatMap(({ row, id, item }) => {
    if (item.choice === 'skip') return []
    const isFree = (part: string) => !owners.has(part) || (item.choice === 'replace' && owners.get(part) === id)
    const parts = [...row.loaders, ...row.loaders.flatMap(({ files }) => files), ...row.chunks]
    return parts.flatMap(({ id: part }) => (part !== undefined && !(isUuid(part) && isFree(part)) ? [part] : []))
  })
}

interface PlanningStores {
  take: Taking
  present: StoresPresent
  components: readonly ComponentDefinition[]
}

/** Throws `too_large` when the workspace would have more chunks than it may. */
export function planStores(decided: readonly Decided<StoreRow>[], planning: PlanningStores): PlannedStore[] {
  const { take, present } = planning
  const ids = { store: ownIds(take), loader: ownIds(take), source: ownIds(take), chunk: ownIds(take) }
  const chosen = decided.filter(({ item }) => item.choice !== 'skip')
  const planned = chosen.map((each) => planStore(each, { ...planning, ids }))
  const given = chosen.map(({ id, item }) => (item.choice === 'replace' ? (present.existing.get(id)?.chunks ?? 0) : 0))
  const added = planned.reduce((sum, { chunks }, index) => sum + chunks.length - (given[index] as number), 0)
  if (added <= 0 || present.usedChunks + added <= CHUNK_QUOTA) return planned
  throw new HeddleError(
    'too_large',
    `This workspace may have ${CHUNK_QUOTA.toLocaleString('en')} chunks, and the file needs more. Skip a document store, or delete what is no longer searched`,
  )
}

type Ids = Record<'store' | 'loader' | 'source' | 'chunk', (id: string | undefined) => string>

function planStore({ row, item }: Decided<StoreRow>, planning: PlanningStores & { ids: Ids }): PlannedStore {
  const { ids, take, present, components } = planning
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
  const chunksOf = Map.groupBy(row.chunks, ({ docId }) => docId)
  const parts = row.loaders.map((loader) => {
    const chunks = chunksOf.get(loader.id) ?? []
    chunksOf.delete(loader.id)
    for (const name of fileNames(loader)) take.list.add('DocumentStore', { name }, NO_ORIGINALS)
    return planLoader({ loader, chunks, storeId: id }, { ids, take, textOf })
  })
  const chunks = parts.flatMap((part) => part.chunks)
  const whenFound = row.embeddingConfig === null ? 'UPSERTED' : 'SYNC'
  const whenEmpty = row.loaders.length === 0 ? 'EMPTY' : 'STALE'
  return {
    store: {
      ...{ id, isReplacing, name: row.name, description: row.description },
      embeddingConfig: optional(row.embeddingConfig),
      vectorStoreConfig: optional(row.vectorStoreConfig),
      recordManagerConfig: optional(row.recordManagerConfig),
      searchConfig: optional(row.searchConfig),
      ...{ totalChunks: chunks.length, totalChars: charsOf(chunks) },
      ...(row.createdDate && { createdDate: row.createdDate }),
    },
    status: chunks.length > 0 ? whenFound : whenEmpty,
    loaders: parts.map((part) => part.loader),
    sources: parts.flatMap((part) => part.sources),
    chunks,
  }
}

const NO_ORIGINALS = 'Files hold no originals. Their chunks are found; add them again to read them anew'

const fileNames = ({ loaderConfig }: LoaderRow): string[] =>
  Object.values(loaderConfig).flatMap((value) => storedFileNames(value) ?? [])

interface LoaderParts {
  loader: LoaderRow
  chunks: ChunkRow[]
  storeId: string
}

function planLoader(
  { loader, chunks: rows, storeId }: LoaderParts,
  { ids, take, textOf }: { ids: Ids; take: Taking; textOf(config: unknown): string },
) {
  const { loaderId, loaderName, splitterId, splitterName } = loader
  const docId = ids.loader(loader.id)
  const { sources, sourceOf } = planSources(loader, { ids, storeId, docId })
  const chunks = rows.map((row) => {
    const hash = chunkHash(row.headings, row.pageContent)
    const { pageContent, chunkNo, headings, isEnabled } = row
    return {
      ...{ id: ids.chunk(row.id), storeId, docId, sourceId: sourceOf(row), chunkNo, pageContent, headings, isEnabled },
      metadata: take.renaming.renameInText(row.metadata),
      ...{ hash, originHash: hash, tokens: countTokens(embeddedText(headings, pageContent)) },
    }
  })
  const ofSource = Map.groupBy(chunks, ({ sourceId }) => sourceId)
  const unread: LoaderState = chunks.length > 0 ? 'STALE' : 'NEW'
  return {
    loader: {
      ...{ id: docId, storeId, loaderId, loaderName, splitterId, splitterName },
      ...{ loaderConfig: textOf(loader.loaderConfig), splitterConfig: textOf(loader.splitterConfig) },
      status: loader.status === 'SYNC' ? ('SYNC' as const) : unread,
      ...{ totalChunks: chunks.length, totalChars: charsOf(chunks) },
    },
    sources: sources.map((source) => {
      const own = ofSource.get(source.id) ?? []
      return { ...source, chunks: own.length, chars: charsOf(own) }
    }),
    chunks,
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
  return { sources, sourceOf: ({ sourceId }: ChunkRow) => (sourceId && byFile.get(sourceId)) || first }
}

const charsOf = (chunks: readonly { pageContent: string }[]) =>
  chunks.reduce((sum, { pageContent }) => sum + pageContent.length, 0)
