/** Rows of stores as the API answers them. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { DocumentJob } from '#contract/document-stores/jobs.ts'
import type { DocumentLoader, DocumentSource } from '#contract/document-stores/loaders.ts'
import { shownState } from '#contract/document-stores/states.ts'
import type { ComponentChoice, DocumentStore } from '#contract/document-stores/stores.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import type { documentJobs, documentSources } from '#db/schema/index.ts'
import { findLoaderType } from './components.ts'
import type { StoreRows } from './store-statements.ts'

type SourceRow = typeof documentSources.$inferSelect
type JobRow = typeof documentJobs.$inferSelect
type LoaderRow = StoreRows[1][number]

export function answerStores([stores, loaders, files, users, jobs]: StoreRows): DocumentStore[] {
  const filesOf = Map.groupBy(files, ({ docId }) => docId)
  const loadersOf = Map.groupBy(loaders, ({ storeId }) => storeId)
  const usersOf = Map.groupBy(users, ({ store }) => store)
  const jobOf = new Map(jobs.map((job) => [job.storeId, job]))
  return stores.map((row) => {
    const { embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig, scheduleConfig, ...rest } = row
    const own = loadersOf.get(row.id) ?? []
    const status = own.map((loader) => loader.status)
    const job = jobOf.get(row.id)
    return {
      ...rest,
      status: shownState(row.status, status),
      loaders: own.map((loader) => answerLoader(loader, filesOf.get(loader.id) ?? [])),
      whereUsed: (usersOf.get(row.id) ?? []).map(({ id, name }) => ({ id, name: name ?? '' })),
      embeddingConfig: parseRecord(embeddingConfig) as ComponentChoice | null,
      vectorStoreConfig: parseRecord(vectorStoreConfig) as ComponentChoice | null,
      recordManagerConfig: parseRecord(recordManagerConfig) as ComponentChoice | null,
      searchConfig: parseRecord(searchConfig) as DocumentStore['searchConfig'],
      scheduleConfig: parseRecord(scheduleConfig) as DocumentStore['scheduleConfig'],
      job: job ? answerJob(job) : null,
    }
  })
}

function answerLoader(row: LoaderRow, files: SourceRow[]): DocumentLoader {
  const { workspaceId: _workspace, storeId: _store, createdDate: _made, updatedDate: _changed, ...rest } = row
  const loaderConfig = parseRecord(row.loaderConfig) ?? {}
  const credential = loaderConfig[CREDENTIAL_ID]
  const source = findLoaderType(row.loaderId)?.describeSource(loaderConfig)
  return {
    ...rest,
    loaderConfig,
    splitterConfig: parseRecord(row.splitterConfig) ?? {},
    ...(source && { source }),
    ...(typeof credential === 'string' && credential !== '' && { credential }),
    files: files.map(answerSource),
  }
}

function answerSource(row: SourceRow): DocumentSource {
  const { id, name, key, mime, size, status, error, pages, chunks, createdDate } = row
  return { id, name, key, mimePrefix: mime ?? '', size, status, error, pages, chunks, uploaded: createdDate }
}

/** Leaves out what only the job itself reads. */
export function answerJob(row: JobRow): DocumentJob {
  const {
    workspaceId: _workspace,
    request: _request,
    cursor: _cursor,
    leaseUntil: _lease,
    attempt: _attempt,
    ...job
  } = row
  return job
}

/** Returns the object that a JSON text holds, null for any other text. */
export function parseRecord(text: string | null): Record<string, unknown> | null {
  const value = text === null ? null : tryParseJson(text)
  return isRecord(value) ? value : null
}
