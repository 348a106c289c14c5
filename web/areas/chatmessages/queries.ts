/** API calls of the messages page. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ChatSession } from '#contract/chats/chat-sessions.ts'
import type { StoredMessage } from '#contract/chats/chatmessages.ts'
import type { Lead } from '#contract/chats/leads.ts'
import type { Stats } from '#contract/stats/stats.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import type { MessageFilters } from './search.ts'

export const MESSAGES = 'chatmessages'
export const PAGE_SIZE = 25
/** Messages of a session, or leads, that are loaded at once. */
const LOADED = 100

interface Sessions {
  data: ChatSession[]
  total: number
}

export const sessionsQuery = (flowId: string, filters: MessageFilters, page: number) =>
  queryOptions({
    queryKey: keys.list(MESSAGES, { flowId, ...filters, page }),
    queryFn: () => api.get<Sessions>(`/chatmessage/${flowId}/sessions`, { ...filters, page, limit: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  })

export const statsQuery = (flowId: string, filters: MessageFilters) =>
  queryOptions({
    queryKey: [MESSAGES, 'stats', flowId, filters],
    queryFn: () => api.get<Stats>(`/stats/${flowId}`, { ...filters }),
    placeholderData: keepPreviousData,
  })

/** Loads a session from its end; the next pages are what was said before. */
export const conversationQuery = (flowId: string, sessionId: string) =>
  infiniteQueryOptions({
    queryKey: [MESSAGES, 'conversation', flowId, sessionId],
    queryFn: ({ pageParam }) =>
      api.get<StoredMessage[]>(`/chatmessage/${flowId}`, {
        ...{ sessionId, feedback: true, order: 'DESC' },
        ...{ page: pageParam, limit: LOADED },
      }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length === LOADED ? pages.length + 1 : undefined),
  })

/** The most leads that one call returns. */
export const MAX_LEADS = 500

export const fetchLeads = (flowId: string, { page, limit }: { page: number; limit: number }) =>
  api.get<Lead[]>(`/leads/${flowId}`, { sortOrder: 'DESC', page, limit })

export const leadsQuery = (flowId: string) =>
  infiniteQueryOptions({
    queryKey: keys.list('leads', { flowId }),
    queryFn: ({ pageParam }) => fetchLeads(flowId, { page: pageParam, limit: LOADED }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length === LOADED ? pages.length + 1 : undefined),
  })
