import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Usages, UsagesQuery } from '#contract/usages/usages.ts'
import { api } from '../api/client.ts'
import { keys } from '../api/query.ts'

/** Query for the users of an asset. Flows change elsewhere, so it is never taken from the cache without asking again. */
export const usagesQuery = ({ kind, asset }: UsagesQuery) =>
  queryOptions({
    queryKey: keys.list('usages', { kind, asset }),
    queryFn: () => api.get<Usages>(`/usages?${new URLSearchParams({ kind, asset })}`),
    staleTime: 0,
  })

export const useUsages = (of: UsagesQuery) => useQuery(usagesQuery(of))
