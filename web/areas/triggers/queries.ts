/** API calls of the trigger pages. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FlowList } from '#contract/chatflows/flow-summary.ts'
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
import { POLL_MS, rotateSecret, TRIGGERS } from '../../inputs/trigger/queries.ts'
import { SIGNATURE_SETUPS } from '../../inputs/trigger/signature-setups.ts'
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

/** Loads the deliveries of one trigger, newest first. */
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

/** Loads the failed deliveries of all triggers in the workspace, newest first. */
export const deadQuery = infiniteQueryOptions({
  queryKey: keys.list(TRIGGERS, { dead: true }),
  queryFn: ({ pageParam }) =>
    api.get<DeadDeliveryList>('/trigger-deliveries/dead', { cursor: pageParam, limit: PAGE_SIZE }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ cursor }) => cursor ?? undefined,
  refetchInterval: POLL_MS,
})

/** Loads the flows that a trigger can start, most recently updated first. */
export const flowChoicesQuery = (search: string) =>
  queryOptions({
    queryKey: keys.list('chatflows', { search, choices: true }),
    queryFn: () =>
      api.get<FlowList>('/chatflows-list', { runnable: true, search: search || undefined, limit: MAX_FLOWS }),
  })

export const loadLimits = () => api.get<TriggerLimits>('/workspace/trigger-limits')

export const saveLimits = (limits: TriggerLimits) =>
  thenInvalidate(api.put<TriggerLimits>('/workspace/trigger-limits', limits))

export const createTrigger = (fields: CreateTrigger) => thenInvalidate(api.post<Trigger>('/triggers', fields))

/**
 * Returns the first secret of a new webhook. Undefined when it needs none, when its sender makes the secret, or when it
 * could not be made: the webhook's page then asks for it.
 */
export async function makeFirstSecret({ id, settings }: Trigger): Promise<string | undefined> {
  if (settings.kind !== 'webhook' || settings.signature === 'none') return undefined
  if (SIGNATURE_SETUPS[settings.signature].isSenderSecret) return undefined
  try {
    return (await rotateSecret(id, { overlapHours: 0 })).secret
  } catch {
    return undefined
  }
}

export const updateTrigger = async (id: string, fields: UpdateTrigger) => {
  const saved = await thenInvalidate(api.put<Trigger>(`/triggers/${id}`, fields))
  // Settings of a Start node are saved with its flow.
  await invalidate('chatflows')
  return saved
}

export const deleteTrigger = (id: string) => thenInvalidate(api.delete(`/triggers/${id}`))

/** Returns the new delivery. Without a payload it reuses the original one. */
export const replayDelivery = (id: string, payload?: Payload) =>
  thenInvalidate(api.post<Delivery>(`/trigger-deliveries/${id}/replay`, payload ? { payload } : {}))

/** Replays deliveries with their original payloads, one after another. Returns the error messages of those that failed. */
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

async function thenInvalidate<Answer>(call: Promise<Answer>): Promise<Answer> {
  const answer = await call
  await invalidate(TRIGGERS)
  return answer
}
