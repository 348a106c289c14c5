/** Loaders of a store: saved with their files, and deleted with what they brought. */
import { and, eq, inArray, isNull, notInArray, or, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { storedFileNames, storedFiles } from '#contract/document-stores/file-inputs.ts'
import { MAX_LOADERS } from '#contract/document-stores/limits.ts'
import type { DocumentLoader, SaveLoader } from '#contract/document-stores/loaders.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { HeddleError } from '#contract/errors.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import type { Database } from '#db/client.ts'
import { credentials, documentChunks, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { searchIndexQuery } from '#db/search-index/search-index.ts'
import type { Services } from '../../services.ts'
import { findDefinition } from './components.ts'
import { dispatch } from './jobs/control/start-jobs.ts'
import { cleanJob } from './jobs/units/cleanup/clean-vectors.ts'
import { decodeInputs } from './loader-inputs.ts'
import { answeredStore, storeNotFound, storeRead } from './read-stores.ts'
import { storeSentFile, updateBytes } from './sent-files.ts'
import type { StoreViewer } from './store-statements.ts'
import { recordStoreUsages } from './store-usages.ts'

type Store = Pick<Services, 'db' | 'clock' | 'fileStorage'>

/** Characters of a loader's inputs, without its files. One row, which must fit into 5 MB, holds them and those of the splitter. */
const MAX_LOADER_CHARS = 1_000_000
const MAX_SPLITTER_CHARS = 100_000

/**
 * Creates a loader, or replaces the one that `given.id` names. Files among its inputs are stored first.
 * Throws `bad_request` and `too_large` that name the field, and `not_found`.
 */
export async function saveLoader(store: Store, viewer: StoreViewer, given: SaveLoader): Promise<DocumentLoader> {
  const { db, clock } = store
  const { tenant } = viewer
  const definition = assertKnown('loaders', given.loaderId, 'loaderId')
  const splitter = given.splitterId && assertKnown('splitters', given.splitterId, 'splitterId')
  const { names, configs } = await readBefore(db, tenant, given)
  const config = { ...given.loaderConfig, ...(given.credential && { [CREDENTIAL_ID]: given.credential }) }
  const files = await storeInputs(store, tenant, { given, config, names })
  const loaderConfig = JSON.stringify(config)
  const splitterConfig = JSON.stringify(given.splitterConfig)
  if (loaderConfig.length > MAX_LOADER_CHARS)
    throw refusal('loaderConfig', `Inputs may have ${MAX_LOADER_CHARS} characters. Send long texts as files`)
  if (splitterConfig.length > MAX_SPLITTER_CHARS)
    throw refusal('splitterConfig', `Inputs may have ${MAX_SPLITTER_CHARS} characters. Shorten them`)
  const now = clock.now().toISOString()
  const id = given.id ?? crypto.randomUUID()
  const values = {
    ...{ loaderId: given.loaderId, loaderName: given.loaderName || definition.label, loaderConfig },
    splitterId: given.splitterId,
    splitterName: given.splitterName || (splitter ? splitter.label : ''),
    splitterConfig,
    ...{ status: 'SYNCING' as const, statusReason: null, updatedDate: now },
  }
  const rows = scope(db, tenant)
  const saved: BatchItem<'sqlite'> = given.id
    ? rows.update(documentLoaders, isLoader(given.storeId, id), values)
    : rows.insert(documentLoaders, { ...values, id, storeId: given.storeId, createdDate: now })
  const reads = storeRead(db, viewer, given.storeId)
  const written = [
    saved,
    ...takeFiles(db, tenant, { storeId: given.storeId, docId: id, files }),
    ...touchStore(db, tenant, { storeId: given.storeId, now }),
    ...recordStoreUsages(db, tenant, {
      storeId: given.storeId,
      configs: [config, ...configs],
    }),
  ] as const
  const answers = (await db.batch([...written, ...reads] as never)) as unknown[]
  const answered = answeredStore(answers.slice(-reads.length) as never, given.storeId)
  const loader = answered.loaders.find((each) => each.id === id)
  if (!loader) throw loaderNotFound(id)
  return loader
}

/** Its sources and chunks go with it, and a trigger of the database lists its originals. Returns the store. */
export async function deleteLoader(
  services: Pick<Services, 'db' | 'clock' | 'backgroundRuns'>,
  viewer: StoreViewer,
  { storeId, loaderId }: { storeId: string; loaderId: string },
): Promise<DocumentStore> {
  const { db, clock } = services
  const { tenant } = viewer
  const rows = scope(db, tenant)
  const current = searchIndexQuery(db, tenant, { storeId })
  const building = searchIndexQuery(db, tenant, { storeId, state: 'building' })
  const [[store], others, ...found] = await db.batch([
    selectStore(db, tenant, storeId),
    rows.select(documentLoaders, eq(documentLoaders.storeId, storeId)),
    current.statement,
    building.statement,
  ])
  if (!store || !others.some((row) => row.id === loaderId)) throw loaderNotFound(loaderId)
  const configs = configsBeside(store, others as LoaderRow[], loaderId)
  const now = clock.now().toISOString()
  const reads = storeRead(db, viewer, storeId)
  const { id, docId } = documentChunks
  const isOurs = rows.foundInWorkspace(documentChunks, eq(docId, loaderId))
  const chunks = sql`${db.select({ id }).from(documentChunks).where(isOurs)}`
  const cleaning =
    store.vectorStoreConfig === null ? undefined : cleanJob(services, tenant, { storeId, chunkIds: chunks })
  const answers = (await db.batch([
    ...(cleaning ? [cleaning.statement] : []),
    ...[current.open(found[0]), building.open(found[1])].flatMap(
      (searchIndex) => searchIndex?.removeEntries(chunks) ?? [],
    ),
    rows.delete(documentLoaders, isLoader(storeId, loaderId)),
    ...touchStore(db, tenant, { storeId, now }),
    ...recordStoreUsages(db, tenant, { storeId, configs }),
    ...reads,
  ] as never)) as unknown[]
  if (cleaning) await dispatch(services, tenant, { id: cleaning.id, attempt: 0 })
  return answeredStore(answers.slice(-reads.length) as never, storeId)
}

const isLoader = (storeId: string, id: string) => and(eq(documentLoaders.storeId, storeId), eq(documentLoaders.id, id))

/** Reads what a loader is saved into. Throws `not_found`, and `bad_request` for a credential or loader too many. */
async function readBefore(db: Database, tenant: Tenant, { storeId, id, credential }: SaveLoader) {
  const rows = scope(db, tenant)
  const isFree = or(isNull(documentSources.docId), id ? eq(documentSources.docId, id) : undefined)
  const [[store], loaders, sources, [found]] = await db.batch([
    selectStore(db, tenant, storeId),
    rows.select(documentLoaders, eq(documentLoaders.storeId, storeId)),
    rows.select(documentSources, and(eq(documentSources.storeId, storeId), isFree, documentSources.isStored)),
    rows.count(credentials, eq(credentials.id, credential ?? '')),
  ])
  if (!store) throw storeNotFound(storeId)
  if (id && !loaders.some((loader) => loader.id === id)) throw loaderNotFound(id)
  if (!id && loaders.length >= MAX_LOADERS)
    throw refusal('storeId', `A store may have ${MAX_LOADERS} loaders. Delete one first, or make another store`)
  if (credential && found?.count !== 1)
    throw refusal('credential', 'This credential no longer exists. Choose another one')
  const names = new Set((sources as { name: string }[]).map(({ name }) => name))
  return { names, configs: configsBeside(store, loaders as LoaderRow[], id) }
}

type LoaderRow = typeof documentLoaders.$inferSelect

const selectStore = (db: Database, tenant: Tenant, storeId: string) =>
  db
    .select()
    .from(documentStores)
    .where(scope(db, tenant).foundInWorkspace(documentStores, eq(documentStores.id, storeId)))

/** Returns the inputs of what a store is made with, without one loader. */
function configsBeside(store: typeof documentStores.$inferSelect, loaders: LoaderRow[], id: string | undefined) {
  const { embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig } = store
  const others = loaders.filter((loader) => loader.id !== id).map(({ loaderConfig }) => loaderConfig)
  return [embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig, ...others]
}

interface Inputs {
  given: SaveLoader
  /** Changed: its files become names. */
  config: Record<string, unknown>
  /** The names of files that the loader may take. */
  names: ReadonlySet<string>
}

/** Stores files that came with the inputs. Returns the names of all files of the loader. */
async function storeInputs(store: Store, tenant: Tenant, { given, config, names }: Inputs): Promise<string[]> {
  const all: string[] = []
  for (const { field, name, files } of decodeInputs(given.loaderId, config)) {
    const stored: string[] = []
    for (const file of files)
      stored.push((await storeSentFile(store, tenant, { ...file, storeId: given.storeId, field })).name)
    if (files.length > 0) config[name] = storedFiles(stored)
    const missing = files.length === 0 && storedFileNames(config[name])?.find((each) => !names.has(each))
    if (missing) throw refusal(field, `There is no file "${missing}" in this store. Send it first`)
    all.push(...(storedFileNames(config[name]) ?? []))
  }
  return all
}

/** Gives the loader its files. Files that it no longer names go at once, unless chunks of them are left to its job. */
function takeFiles(
  db: Database,
  tenant: Tenant,
  { storeId, docId, files }: { storeId: string; docId: string; files: string[] },
) {
  const rows = scope(db, tenant)
  const { isStored, chunks, name } = documentSources
  const ofLoader = and(eq(documentSources.docId, docId), isStored, eq(chunks, 0))
  const left = rows.delete(documentSources, and(ofLoader, notInArray(name, files), eq(documentSources.status, 'NEW')))
  if (files.length === 0) return [left]
  const isSent = and(eq(documentSources.storeId, storeId), isNull(documentSources.docId), inArray(name, files))
  return [left, rows.update(documentSources, isSent, { docId })]
}

/** Counts again what a store has, after a change of its loaders. */
export function touchStore(db: Database, tenant: Tenant, { storeId, now }: { storeId: string; now: string }) {
  const sum = (column: 'total_chunks' | 'total_chars') =>
    sql`(select coalesce(sum(${sql.identifier(column)}), 0) from ${documentLoaders} where ${documentLoaders.storeId} = ${storeId})`
  const hasLoaders = sql`exists (select 1 from ${documentLoaders} where ${documentLoaders.storeId} = ${storeId})`
  const status = sql`case when not ${hasLoaders} then 'EMPTY' when ${documentStores.status} in ('EMPTY', 'NEW') then 'STALE' else ${documentStores.status} end`
  const changes = { status, totalChunks: sum('total_chunks'), totalChars: sum('total_chars'), updatedDate: now }
  return [
    scope(db, tenant).update(documentStores, eq(documentStores.id, storeId), changes as never),
    updateBytes(db, tenant, storeId),
  ]
}

function assertKnown(kind: 'loaders' | 'splitters', name: string, field: string) {
  const definition = findDefinition(kind, name)
  if (!definition) throw refusal(field, `There is no component "${name}". Choose another one`)
  return definition
}

export const loaderNotFound = (id: string) => new HeddleError('not_found', `Loader ${id} not found`)
const refusal = (field: string, message: string) => new HeddleError('bad_request', `${field}: ${message}`, { field })
