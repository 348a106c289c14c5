/** API calls of the document store pages. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ChunkPage, DocumentChunk, UpdateChunk } from '#contract/document-stores/chunks.ts'
import type { Estimate } from '#contract/document-stores/estimate.ts'
import type { AcceptedJob, DocumentJob, JobAction } from '#contract/document-stores/jobs.ts'
import type {
  DocumentLoader,
  LoaderPreview,
  PreviewLoader,
  SaveLoader,
  SentFile,
} from '#contract/document-stores/loaders.ts'
import type { QueryAnswer, QueryStore } from '#contract/document-stores/search.ts'
import type { CreateStore, DocumentStore, SaveVectorConfig, UpdateStore } from '#contract/document-stores/stores.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'
import { type UploadOptions, upload } from '../../api/upload.ts'
import type { ComponentChoice } from './shared/component-choice.ts'
import { pollMs } from './shared/job-state.ts'

const AREA = 'document-stores'
const ROOT = '/document-store'
const PAGE_SIZE = 24

const part = encodeURIComponent

interface StoreList {
  data: DocumentStore[]
  total: number
}

/** Loads the stores whose name or description contains `search`, and again while one of them is worked on. */
export const storePages = (search: string) =>
  infiniteQueryOptions({
    queryKey: keys.list(AREA, { search }),
    queryFn: ({ pageParam }) =>
      api.get<StoreList>(`${ROOT}/store`, { search: search.trim() || undefined, page: pageParam, limit: PAGE_SIZE }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_SIZE < last.total ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollMs(state.data?.pages.flatMap(({ data }) => data.map(({ job }) => job)) ?? []),
  })

/** Loads a store with its loaders and its newest job, and again while that job is open. */
export const storeQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(AREA, id),
    queryFn: () => api.get<DocumentStore>(`${ROOT}/store/${part(id)}`),
    refetchInterval: ({ state }) => pollMs([state.data?.job ?? null]),
    retry: false,
  })

export const createStore = (fields: CreateStore) => thenInvalidate(api.post<DocumentStore>(`${ROOT}/store`, fields))

export const updateStore = (id: string, fields: UpdateStore) =>
  thenInvalidate(api.put<DocumentStore>(`${ROOT}/store/${part(id)}`, fields))

export const deleteStore = (id: string) => thenInvalidate(api.delete(`${ROOT}/store/${part(id)}`))

type ComponentKind = 'loaders' | 'splitters' | 'embeddings' | 'vectorstore' | 'rerankers'

/** Loads the definitions of what stores are made with. */
export const componentsQuery = (kind: ComponentKind) =>
  queryOptions({
    queryKey: keys.list('document-store-components', { kind }),
    queryFn: () => api.get<ComponentDefinition[]>(`${ROOT}/components/${kind}`),
    staleTime: 5 * 60_000,
  })

/** Sends a file to a store. A loader names it in its inputs. */
export const sendFile = (storeId: string, file: File, options: UploadOptions) =>
  upload<SentFile>(`${ROOT}/store/${part(storeId)}/files?name=${part(file.name)}`, file, options)

/** Reads and splits what a loader would, without keeping anything. */
export async function previewLoader(request: PreviewLoader, signal: AbortSignal): Promise<LoaderPreview> {
  const response = await api.stream(`${ROOT}/loader/preview`, request, signal)
  return (await response.json()) as LoaderPreview
}

/** Creates a loader, or replaces the one with `id`. */
export const saveLoader = (fields: SaveLoader) =>
  thenInvalidate(api.post<DocumentLoader>(`${ROOT}/loader/save`, fields))

/** Starts the job that reads a loader into chunks. */
export const processLoader = (storeId: string, id: string) =>
  startJob(`${ROOT}/loader/process/${part(id)}`, { storeId, id })

export const deleteLoader = (storeId: string, id: string) =>
  thenInvalidate(api.delete(`${ROOT}/loader/${part(storeId)}/${part(id)}`))

interface ChunkFilter {
  storeId: string
  /** Absent: of all loaders. */
  loaderId?: string | undefined
  /** From 1. */
  page: number
  search?: string | undefined
  /** Only edits under which the source changed. */
  conflicts?: true | undefined
  sourceId?: string | undefined
}

export const chunksQuery = ({ storeId, loaderId = 'all', page, ...filter }: ChunkFilter) =>
  queryOptions({
    queryKey: keys.list(AREA, { chunks: storeId, loaderId, page, ...filter }),
    queryFn: () => api.get<ChunkPage>(`${ROOT}/chunks/${part(storeId)}/${part(loaderId)}/${page}`, filter),
    placeholderData: keepPreviousData,
  })

const chunkPath = ({ storeId, docId, id }: Pick<DocumentChunk, 'storeId' | 'docId' | 'id'>) =>
  `${ROOT}/chunks/${part(storeId)}/${part(docId)}/${part(id)}`

export const updateChunk = (chunk: Pick<DocumentChunk, 'storeId' | 'docId' | 'id'>, fields: UpdateChunk) =>
  thenInvalidate(api.put<ChunkPage>(chunkPath(chunk), fields))

export const deleteChunk = (chunk: Pick<DocumentChunk, 'storeId' | 'docId' | 'id'>) =>
  thenInvalidate(api.delete(chunkPath(chunk)))

/** Replaces how a store is embedded, kept, searched and refreshed: what is left out becomes null. */
export const saveVectorConfig = (fields: SaveVectorConfig) =>
  thenInvalidate(api.post<DocumentStore>(`${ROOT}/vectorstore/save`, fields))

/** Changes what is given of it. */
export const updateVectorConfig = (fields: SaveVectorConfig) =>
  thenInvalidate(api.post<DocumentStore>(`${ROOT}/vectorstore/update`, fields))

/** Starts the job that embeds what is not embedded yet, of one loader or all. */
export const upsertStore = (storeId: string, docId?: string) =>
  startJob(`${ROOT}/vectorstore/insert`, { storeId, ...(docId && { docId }) })

interface EstimateOf {
  storeId: string
  docId: string | undefined
  /** Not saved yet; null: none. */
  embedding: ComponentChoice | null
}

/** Loads what an upsert would embed and cost. */
export const estimateQuery = ({ storeId, docId, embedding }: EstimateOf) =>
  queryOptions({
    queryKey: keys.list(AREA, { estimate: storeId, docId, embedding }),
    queryFn: () =>
      api.post<Estimate>(`${ROOT}/vectorstore/estimate`, {
        storeId,
        ...(docId && { docId }),
        embeddingName: embedding?.name ?? null,
        embeddingConfig: embedding?.config ?? null,
      }),
    retry: false,
  })

export const queryStore = (request: QueryStore) => api.post<QueryAnswer>(`${ROOT}/vectorstore/query`, request)

/** Starts the job that reads again what changed at its origin. */
export const refreshStore = (storeId: string) => startJob(`${ROOT}/refresh/${part(storeId)}`, {})

/** Loads the jobs of a store, newest first, and again while one of them is open. */
export const jobsQuery = (storeId: string) =>
  queryOptions({
    queryKey: keys.list(AREA, { jobs: storeId }),
    queryFn: () => api.get<DocumentJob[]>(`${ROOT}/store/${part(storeId)}/jobs`),
    refetchInterval: ({ state }) => pollMs(state.data ?? []),
  })

export const applyJobAction = (id: string, action: JobAction) =>
  thenInvalidate(api.post<DocumentJob>(`${ROOT}/jobs/${part(id)}/${action}`))

const startJob = (path: string, body: object) => thenInvalidate(api.post<AcceptedJob>(`${path}?async=true`, body))

/** Open canvases list the stores too. */
async function thenInvalidate<Answer>(call: Promise<Answer>): Promise<Answer> {
  const answer = await call
  await Promise.all([invalidate(AREA), invalidate('node-load-method')])
  return answer
}
