import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Chatflow } from '#contract/chatflows.ts'
import { api, type Query } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

export const AREA = 'chatflows'
export const PAGE_SIZE = 24

interface Page {
  data: Chatflow[]
  total: number
}

/** Loads agent flows whose name contains `search`, most recently updated first. */
export function flowPages(search: string) {
  return pagesOf({ type: 'AGENTFLOW', search: search.trim() || undefined })
}

function pagesOf(filter: Query) {
  return infiniteQueryOptions({
    queryKey: keys.list(AREA, { ...filter, paged: true }),
    queryFn: ({ pageParam }) => api.get<Page>('/chatflows', { ...filter, page: pageParam, limit: PAGE_SIZE }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_SIZE < last.total ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
  })
}

/** Loads imported flows of unsupported types. */
export function keptFlowPages(search: string) {
  return pagesOf({ runnable: false, search: search.trim() || undefined })
}

export const keptFlowCount = queryOptions({
  queryKey: keys.list(AREA, { runnable: false, count: true }),
  queryFn: async () => (await api.get<Page>('/chatflows', { runnable: false, page: 1, limit: 1 })).total,
})

/** The fields of a new flow; copies include every setting. */
type NewFlow = Pick<Chatflow, 'name' | 'flowData'> & Partial<Chatflow>

const SETTINGS = [
  'name',
  'flowData',
  'deployed',
  'isPublic',
  'apikeyid',
  'chatbotConfig',
  'apiConfig',
  'analytic',
  'speechToText',
  'textToSpeech',
  'followUpPrompts',
  'category',
] as const

export async function createFlow({ type = 'AGENTFLOW', ...flow }: NewFlow): Promise<Chatflow> {
  const settings = Object.fromEntries(SETTINGS.map((key) => [key, flow[key]]))
  const created = await api.post<Chatflow>('/chatflows', { ...settings, type })
  await invalidate(AREA)
  return created
}

export async function renameFlow(id: string, name: string): Promise<void> {
  await api.put(`/chatflows/${id}`, { name })
  await invalidate(AREA)
}

export async function deleteFlow(id: string): Promise<void> {
  await api.delete(`/chatflows/${id}`)
  await invalidate(AREA)
}

export const flowQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(AREA, id),
    queryFn: () => api.get<Chatflow>(`/chatflows/${encodeURIComponent(id)}`),
    retry: false,
  })
