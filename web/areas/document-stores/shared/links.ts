/** Links to the pages of a store. */
import type { ChunkSearch } from '../chunks/search.ts'

/** The form of a loader: a new one of a component, or the one with `id`. */
export const loaderLink = (storeId: string, name: string, id?: string) =>
  ({ to: '/document-stores/$storeId/$name', params: { storeId, name }, search: id ? { id } : {} }) as const

/** The chunks of a loader, or of `all`. */
export const chunksLink = (storeId: string, fileId: string, search: ChunkSearch = {}) =>
  ({ to: '/document-stores/chunks/$storeId/$fileId', params: { storeId, fileId }, search }) as const

/** Embeddings and index. */
export const vectorLink = (storeId: string) =>
  ({ to: '/document-stores/vector/$storeId', params: { storeId } }) as const

export const queryLink = (storeId: string) => ({ to: '/document-stores/query/$storeId', params: { storeId } }) as const
