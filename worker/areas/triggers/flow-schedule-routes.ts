/** Flowise's calls for the schedule of a flow. */
import * as z from 'zod'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, flowAccess } from '../chatflows/index.ts'
import { deleteLogs, enableSchedule, LOG_STATES, scheduleLogs, scheduleStatus } from './flow-schedule.ts'

const byFlow = z.object({ id: z.string().max(100) })

const logQuery = z.object({
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(100).default(20),
  status: z.enum(LOG_STATES).optional(),
})

export const flowScheduleRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/chatflows/:id/schedule/status',
    access: flowAccess('view', 'update'),
    params: byFlow,
    async handle({ params, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'view', 'update')
      return scheduleStatus(services, memberOf(actor), { flowId: params.id, allowed })
    },
  }),

  route({
    method: 'PATCH',
    path: '/chatflows/:id/schedule/enabled',
    access: flowAccess('update'),
    params: byFlow,
    body: z.object({ enabled: z.boolean() }),
    async handle({ params, body, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'update')
      return enableSchedule(services, memberOf(actor), { flowId: params.id, allowed, ...body })
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/:id/schedule/trigger-logs',
    access: flowAccess('view', 'update'),
    params: byFlow,
    query: logQuery,
    async handle({ params, query, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'view', 'update')
      return scheduleLogs(services, memberOf(actor), { flowId: params.id, allowed, ...query })
    },
  }),

  route({
    method: 'DELETE',
    path: '/chatflows/:id/schedule/trigger-logs',
    access: flowAccess('update'),
    params: byFlow,
    body: z.object({ logIds: z.array(z.string().max(100)).min(1).max(1000) }),
    async handle({ params, body, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'update')
      return deleteLogs(services, memberOf(actor), { flowId: params.id, allowed, ...body })
    },
  }),
]
