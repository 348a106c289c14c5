import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FileList, StoredFile } from '#contract/files/files.ts'
import { api, apiOrigin } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'files'

/** Loads the files of the workspace's flows and document stores, newest first. */
export const filesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: keys.list(AREA, { search }),
    queryFn: ({ pageParam }) =>
      api.get<FileList>('/files', { ...(search !== '' && { search }), ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    placeholderData: keepPreviousData,
  })

const contentPath = (id: string) => `/files/${encodeURIComponent(id)}/content`

/** Returns the URL of a file's content. */
export const contentUrl = ({ id }: StoredFile, { download = false } = {}) =>
  `${apiOrigin}/api/v1${contentPath(id)}${download ? '?download=true' : ''}`

export const textQuery = ({ id }: StoredFile) =>
  queryOptions({
    queryKey: keys.one(AREA, id),
    queryFn: async ({ signal }) => (await api.stream(contentPath(id), undefined, signal)).text(),
  })

export async function deleteFile({ id, owner }: StoredFile): Promise<void> {
  const path = `/files/${encodeURIComponent(id)}`
  const isOfStore = owner.kind === 'documentStore'
  await api.delete(isOfStore ? `/document-store/store/${encodeURIComponent(owner.id)}${path}` : path)
  await Promise.all([invalidate(AREA), ...(isOfStore ? [invalidate('document-stores')] : [])])
}
