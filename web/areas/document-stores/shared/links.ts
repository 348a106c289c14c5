/** Where the pages of a store are. */

/** The form of a loader: a new one of a component, or the one with `id`. */
export const loaderLink = (storeId: string, name: string, id?: string) =>
  ({ to: '/document-stores/$storeId/$name', params: { storeId, name }, search: id ? { id } : {} }) as const

interface PageLink {
  to: string
  params: Record<string, string>
  search?: Record<string, unknown>
}

/** The chunks of a loader. */
export const chunksLink = (storeId: string, fileId: string, search: { conflicts?: true } = {}): PageLink => ({
  to: '/document-stores/chunks/$storeId/$fileId',
  params: { storeId, fileId },
  search,
})

/** Embeddings and index. */
export const vectorLink = (storeId: string): PageLink => ({
  to: '/document-stores/vector/$storeId',
  params: { storeId },
})

export const queryLink = (storeId: string): PageLink => ({ to: '/document-stores/query/$storeId', params: { storeId } })
