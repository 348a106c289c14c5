/** Queries and mutations of versions. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Chatflow, FlowVersion, FlowVersionHead, FlowVersionList } from '#contract/chatflows/chatflows.ts'
import { api } from '../../api/client.ts'
import { FLOWS } from '../../api/flows.ts'
import { invalidate, keys } from '../../api/query.ts'

const PAGE_SIZE = 50

/** Newest first. */
export function versionPages(flowId: string) {
  return infiniteQueryOptions({
    queryKey: keys.list(FLOWS, { versionsOf: flowId }),
    queryFn: ({ pageParam }) =>
      api.get<FlowVersionList>(`/chatflows/${flowId}/versions`, { page: pageParam, limit: PAGE_SIZE }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_SIZE < last.total ? pages.length + 1 : undefined),
  })
}

/** A version never changes, so it is cached for good. */
export function versionQuery(flowId: string, version: number) {
  return queryOptions({
    queryKey: keys.one('flow-versions', `${flowId}@${version}`),
    queryFn: () => api.get<FlowVersion>(`/chatflows/${flowId}/versions/${version}`),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Publishes a version, the draft by default. */
export const publish = (flowId: string, version?: number): Promise<Chatflow> =>
  api.post(`/chatflows/${flowId}/publish`, version === undefined ? {} : { version })

/** Unpublishes: callers get every save again. */
export const unpublish = (flowId: string): Promise<Chatflow> => api.post(`/chatflows/${flowId}/unpublish`)

/** Saves a version as the new draft. `seen` is the flow version that this page knows. */
export const restore = (flowId: string, version: number, seen: number): Promise<Chatflow> =>
  api.post(`/chatflows/${flowId}/versions/${version}/restore`, { version: seen })

export async function noteVersion(flowId: string, { version, note }: Pick<FlowVersionHead, 'version' | 'note'>) {
  await api.put(`/chatflows/${flowId}/versions/${version}`, { note })
  await invalidate(FLOWS)
}
