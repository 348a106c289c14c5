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
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, flowAccess } from '../chatflows/index.ts'
import { listDead } from './dead.ts'
import { listDeliveries, readDelivery, replayDelivery } from './deliveries.ts'

const byId = z.object({ id: z.string().max(100) })

export const deliveryRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/trigger-deliveries',
    summary: 'List deliveries',
    answer: deliveryListSchema,
    access: flowAccess('view', 'update'),
    query: listDeliveriesSchema,
    async handle({ query, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'view', 'update')
      return listDeliveries(services, memberOf(actor), { ...query, allowed })
    },
  }),

  // Before the route of one delivery, which would match `dead` as an id.
  route({
    method: 'GET',
    path: '/trigger-deliveries/dead',
    summary: 'List dead deliveries',
    answer: deadDeliveryListSchema,
    access: flowAccess('view', 'update'),
    query: listDeadSchema,
    async handle({ query, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'view', 'update')
      return listDead(services, memberOf(actor), { ...query, allowed })
    },
  }),

  route({
    method: 'GET',
    path: '/trigger-deliveries/:id',
    summary: 'Get a delivery',
    answer: deliveryDetailSchema,
    access: flowAccess('view', 'update'),
    params: byId,
    async handle({ params, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'view', 'update')
      return readDelivery(services, memberOf(actor), { ...params, allowed })
    },
  }),

  route({
    method: 'POST',
    path: '/trigger-deliveries/:id/replay',
    summary: 'Replay a delivery',
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
