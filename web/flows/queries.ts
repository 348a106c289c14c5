import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { FlowList } from '#contract/chatflows/flow-summary.ts'
import type { CanvasFlowType } from '#contract/flow/kinds/facts.ts'
import { api, type Query } from '../api/client.ts'
import { FLOWS } from '../api/flows.ts'
import { invalidate, keys } from '../api/query.ts'

const PAGE_SIZE = 24

/** Loads flows of a type whose name contains `search`, most recently updated first. */
export const flowPages = (type: CanvasFlowType) => (search: string) =>
  buildPagesQuery({ type, search: search.trim() || undefined })

function buildPagesQuery(filter: Query) {
  return infiniteQueryOptions({
    queryKey: keys.list(FLOWS, { ...filter, paged: true }),
    queryFn: ({ pageParam }) => api.get<FlowList>('/chatflows-list', { ...filter, page: pageParam, limit: PAGE_SIZE }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_SIZE < last.total ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
  })
}

/** Loads imported flows of unsupported types. */
export function unsupportedFlowPages(search: string) {
  return buildPagesQuery({ runnable: false, search: search.trim() || undefined })
}

export const unsupportedFlowCount = queryOptions({
  queryKey: keys.list(FLOWS, { runnable: false, count: true }),
  queryFn: async () => (await api.get<FlowList>('/chatflows-list', { runnable: false, limit: 1 })).total,
})

export async function deleteFlow(id: string): Promise<void> {
  await api.delete(`/chatflows/${id}`)
  await invalidate(FLOWS)
}

export const flowQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(FLOWS, id),
    queryFn: () => api.get<Chatflow>(`/chatflows/${encodeURIComponent(id)}`),
    retry: false,
  })
