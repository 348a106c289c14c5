/** Trigger queries that the trigger pages and the canvas share. */
import { queryOptions } from '@tanstack/react-query'
import type {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  NewSecret,
  Payload,
  RotateSecret,
  Trigger,
  TriggerList,
} from '#contract/triggers/index.ts'
import { api, apiBase } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

export const TRIGGERS = 'triggers'

/** Polling interval in milliseconds. Polling stops while the page is hidden. */
export const POLL_MS = 3000

/** Loads the trigger of a flow's Start node; null when there is none. */
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

/** Returns true while the delivery is queued or running. */
export const isOpen = ({ state }: Pick<Delivery, 'state'>): boolean => state === 'queued' || state === 'running'

/** Returns the latest request to a webhook, accepted or rejected; null when there is none. */
export async function latestRequest(triggerId: string): Promise<Delivery | null> {
  const { data } = await api.get<DeliveryList>('/trigger-deliveries', { triggerId, source: 'webhook', limit: 1 })
  return data[0] ?? null
}

/** Returns the trigger, or for `run` the new delivery. */
export async function postAction(id: string, action: 'pause' | 'resume' | 'run'): Promise<{ id: string }> {
  const answer = await api.post<Trigger | Delivery>(`/triggers/${id}/${action}`)
  await invalidate(TRIGGERS)
  return answer
}

/** Returns the new delivery. */
export async function runWithPayload(id: string, payload: Payload): Promise<Delivery> {
  const delivery = await api.post<Delivery>(`/triggers/${id}/run`, { payload })
  await invalidate(TRIGGERS)
  return delivery
}

/** Returns the new secret, which can't be read again. */
export async function rotateSecret(id: string, fields: Partial<RotateSecret>): Promise<NewSecret> {
  const generated = await api.post<NewSecret>(`/triggers/${id}/secret`, fields)
  await invalidate(TRIGGERS)
  return generated
}

/** Returns the absolute webhook URL. */
export const addressOf = ({ path }: Pick<Trigger, 'path'>): string => new URL(path ?? '', apiBase()).href
