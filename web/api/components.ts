/** The catalogue of nodes, as pages share it. */
import { queryOptions } from '@tanstack/react-query'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { api } from './client.ts'
import { keys, queryClient } from './query.ts'

export const componentsQuery = queryOptions({
  queryKey: keys.list('nodes'),
  queryFn: () => api.get<ComponentDefinition[]>('/nodes'),
  staleTime: 5 * 60_000,
})

/** Those that a flow uses, which draw it before the whole catalogue is there. */
export const flowComponentsQuery = (flowId: string | undefined) =>
  queryOptions({
    queryKey: keys.one('nodes', flowId ?? ''),
    queryFn: () => api.get<ComponentDefinition[]>(`/chatflows/${flowId}/components`),
    staleTime: 5 * 60_000,
    gcTime: 0,
  })

export const loadComponents = (): Promise<ComponentDefinition[]> => queryClient.fetchQuery(componentsQuery)
