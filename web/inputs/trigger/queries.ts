/** What the monitor and the canvas ask of the API about triggers. */
import { queryOptions } from '@tanstack/react-query'
import type {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  NewSecret,
  RotateSecret,
  Trigger,
  TriggerList,
} from '#contract/triggers/index.ts'
import { api, apiBase } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

export const TRIGGERS = 'triggers'

/** How often what is on screen is looked at again, in milliseconds; not while the page is hidden. */
export const POLL_MS = 3000

/** The trigger that a flow's start node holds; null while there is none. */
export const nodeTriggerQuery = (flowId: string, nodeId: string) =>
  queryOptions({
    queryKey: keys.one(TRIGGERS, `${flowId} ${nodeId}`),
    queryFn: async () => {
      const { data } = await api.get<TriggerList>('/triggers', { flowId, limit: 100 }, { background: true })
      return data.find((trigger) => trigger.nodeId === nodeId) ?? null
    },
    refetchInterval: POLL_MS,
  })

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(TRIGGERS, `delivery ${id}`),
    queryFn: () => api.get<DeliveryDetail>(`/trigger-deliveries/${id}`),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? POLL_MS : false),
  })

/** More is to come of it. */
export const isOpen = ({ state }: Pick<Delivery, 'state'>): boolean => state === 'queued' || state === 'running'

/** The newest request that came to a webhook, taken or not; null when none has. */
export async function latestRequest(triggerId: string): Promise<Delivery | null> {
  const { data } = await api.get<DeliveryList>('/trigger-deliveries', { triggerId, source: 'webhook', limit: 1 })
  return data[0] ?? null
}

/** @returns the trigger, or the delivery that was started by hand */
export async function actOn(id: string, action: 'pause' | 'resume' | 'run'): Promise<{ id: string }> {
  const answer = await api.post<Trigger | Delivery>(`/triggers/${id}/${action}`)
  await invalidate(TRIGGERS)
  return answer
}

/** @returns the secret itself, for the only time */
export async function rotateSecret(id: string, fields: Partial<RotateSecret>): Promise<NewSecret> {
  const made = await api.post<NewSecret>(`/triggers/${id}/secret`, fields)
  await invalidate(TRIGGERS)
  return made
}

/** The address that senders call. */
export const addressOf = ({ path }: Pick<Trigger, 'path'>): string => new URL(path ?? '', apiBase()).href
