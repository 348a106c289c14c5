/** The catalogue of nodes, as pages share it. */
import { queryOptions } from '@tanstack/react-query'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { PRACTICE_MODEL } from '#contract/flow/practice-model.ts'
import { api } from './client.ts'
import { keys, queryClient } from './query.ts'

export const componentsQuery = queryOptions({
  queryKey: keys.list('nodes'),
  queryFn: () => api.get<ComponentDefinition[]>('/nodes'),
  staleTime: 5 * 60_000,
})

/** Those that a stored or a new flow uses, which draw it before the whole catalogue is there. */
export const flowComponentsQuery = (flowId: string | undefined, kind: FlowKind) =>
  queryOptions({
    queryKey: keys.one('nodes', flowId ?? kind.newName),
    queryFn: () =>
      flowId === undefined
        ? Promise.all(firstComponents(kind).map((name) => api.get<ComponentDefinition>(`/nodes/${name}`)))
        : api.get<ComponentDefinition[]>(`/chatflows/${flowId}/components`),
    staleTime: 5 * 60_000,
    gcTime: 0,
  })

/** Returns the names of what a new flow is drawn with, its model included. */
export const firstComponents = ({ firstNodes }: FlowKind): string[] => [
  ...new Set([...firstNodes.map(({ name }) => name), PRACTICE_MODEL]),
]

export const loadComponents = (): Promise<ComponentDefinition[]> => queryClient.fetchQuery(componentsQuery)
