import * as z from 'zod'
import {
  deadDeliveryListSchema,
  deliveryDetailSchema,
  deliveryListSchema,
  deliverySchema,
  listDeadSchema,
  listDeliveriesSchema,
  replayDeliverySchema,
} from '#contract/triggers/index.ts'
import { auditExempt } from '../../http/audit.ts'
import { type Actor, memberOf, type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { allowedTypes, flowAccess } from '../chatflows/index.ts'
import { listDead } from './dead.ts'
import { listDeliveries, readDelivery, replayDelivery } from './deliveries.ts'

const byId = z.object({ id: z.string().max(100) })

const viewers = flowAccess('view', 'update')
const visibleTypes = (actor: Actor, { config }: Services) => allowedTypes(actor, config, 'view', 'update')

export const deliveryRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/trigger-deliveries',
    summary: 'List deliveries',
    answer: deliveryListSchema,
    access: viewers,
    query: listDeliveriesSchema,
    async handle({ query, actor, services }) {
      return listDeliveries(services, memberOf(actor), { ...query, allowed: visibleTypes(actor, services) })
    },
  }),

  // Before the route of one delivery, which would match `dead` as an id.
  route({
    method: 'GET',
    path: '/trigger-deliveries/dead',
    summary: 'List dead deliveries',
    answer: deadDeliveryListSchema,
    access: viewers,
    query: listDeadSchema,
    async handle({ query, actor, services }) {
      return listDead(services, memberOf(actor), { ...query, allowed: visibleTypes(actor, services) })
    },
  }),

  route({
    method: 'GET',
    path: '/trigger-deliveries/:id',
    summary: 'Get a delivery',
    answer: deliveryDetailSchema,
    access: viewers,
    params: byId,
    async handle({ params, actor, services }) {
      return readDelivery(services, memberOf(actor), { ...params, allowed: visibleTypes(actor, services) })
    },
  }),

  route({
    method: 'POST',
    path: '/trigger-deliveries/:id/replay',
    summary: 'Replay a delivery',
    audit: auditExempt.run,
    answer: deliverySchema,
    errors: ['conflict'],
    access: flowAccess('update'),
    maxBodyBytes: 4 * 1024 * 1024,
    params: byId,
    body: replayDeliverySchema,
    async handle({ params, body, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'update')
      return replayDelivery(services, memberOf(actor), { ...body, ...params, allowed })
    },
  }),
]
