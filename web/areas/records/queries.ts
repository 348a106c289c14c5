import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api, apiOrigin } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

/** Filters of a list of records, by the query parameters of its call. */
export type Filters = Record<string, string | undefined>

interface RecordPage<Row> {
  data: Row[]
  next: string | null
}

/** Loads records, newest first. */
export const recordsQuery = <Row>(path: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: keys.list(path, filters),
    queryFn: ({ pageParam }) =>
      api.get<RecordPage<Row>>(path, { ...presentFilters(filters), ...(pageParam && { before: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Returns the URL of a file with all records that match. */
export function exportUrl(path: string, filters: Filters, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams({ ...presentFilters(filters), format })
  return `${apiOrigin}/api/v1${path}/export?${query}`
}

export async function deleteSignIn(id: string): Promise<void> {
  await api.delete('/login-activity', {}, { ids: [id] })
  await invalidate('/login-activity')
}

const presentFilters = (filters: Filters) =>
  Object.fromEntries(Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1])))
