/** What the monitor asks of the API. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Chatflow } from '#contract/chatflows.ts'
import { errorMessage } from '#contract/errors.ts'
import type {
  CreateTrigger,
  DeadDeliveryList,
  Delivery,
  DeliveryList,
  Payload,
  Trigger,
  TriggerLimits,
  TriggerList,
  TriggerSummary,
  UpdateTrigger,
} from '#contract/triggers/index.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'
import { POLL_MS, TRIGGERS } from '../../inputs/trigger/queries.ts'
import type { DeliveryFilters, TriggerFilters } from './search.ts'

export const PAGE_SIZE = 20
export const MAX_FLOWS = 50

export const triggersQuery = (filters: TriggerFilters, page: number) =>
  queryOptions({
    queryKey: keys.list(TRIGGERS, { ...filters, page }),
    queryFn: () => api.get<TriggerList>('/triggers', { ...filters, page, limit: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  })

export const triggerQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(TRIGGERS, id),
    queryFn: () => api.get<TriggerSummary>(`/triggers/${encodeURIComponent(id)}`),
    refetchInterval: POLL_MS,
    retry: false,
  })

/** The deliveries of one trigger, newest first. */
export const deliveriesQuery = (triggerId: string, filters: DeliveryFilters) =>
  infiniteQueryOptions({
    queryKey: keys.list(TRIGGERS, { triggerId, ...filters, deliveries: true }),
    queryFn: ({ pageParam }) =>
      api.get<DeliveryList>('/trigger-deliveries', { ...filters, triggerId, cursor: pageParam, limit: PAGE_SIZE }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  })

/** What all triggers of the workspace gave up, newest first. */
export const deadQuery = infiniteQueryOptions({
  queryKey: keys.list(TRIGGERS, { dead: true }),
  queryFn: ({ pageParam }) =>
    api.get<DeadDeliveryList>('/trigger-deliveries/dead', { cursor: pageParam, limit: PAGE_SIZE }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ cursor }) => cursor ?? undefined,
  refetchInterval: POLL_MS,
})

interface FlowChoices {
  data: Pick<Chatflow, 'id' | 'name' | 'type'>[]
  total: number
}

/** Flows that a trigger may start, last changed first. */
export const flowChoicesQuery = (search: string) =>
  queryOptions({
    queryKey: keys.list('chatflows', { search, choices: true }),
    queryFn: () =>
      api.get<FlowChoices>('/chatflows', { runnable: true, search: search || undefined, page: 1, limit: MAX_FLOWS }),
  })

export const loadLimits = () => api.get<TriggerLimits>('/workspace/trigger-limits')

export const saveLimits = (limits: TriggerLimits) =>
  changed(api.put<TriggerLimits>('/workspace/trigger-limits', limits))

export const createTrigger = (fields: CreateTrigger) => changed(api.post<Trigger>('/triggers', fields))

export const updateTrigger = async (id: string, fields: UpdateTrigger) => {
  const saved = await changed(api.put<Trigger>(`/triggers/${id}`, fields))
  // The settings of a start node are saved with its flow.
  await invalidate('chatflows')
  return saved
}

export const deleteTrigger = (id: string) => changed(api.delete(`/triggers/${id}`))

/** @returns the new delivery; without a payload it gets that of the first one */
export const replayDelivery = (id: string, payload?: Payload) =>
  changed(api.post<Delivery>(`/trigger-deliveries/${id}/replay`, payload ? { payload } : {}))

/** Each with what it came with, one after the other. @returns why some were not replayed, in their order */
export async function replayDeliveries(ids: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  for (const id of ids) {
    await api
      .post<Delivery>(`/trigger-deliveries/${id}/replay`, {})
      .catch((error) => problems.push(errorMessage(error)))
  }
  await invalidate(TRIGGERS)
  return problems
}

async function changed<Answer>(call: Promise<Answer>): Promise<Answer> {
  const answer = await call
  await invalidate(TRIGGERS)
  return answer
}
