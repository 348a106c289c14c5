/** Flowise's endpoints for the schedule of a flow. */
import * as z from 'zod'
import {
  deletedLogsSchema,
  deleteLogsSchema,
  enableScheduleSchema,
  listLogsSchema,
  scheduleLogsSchema,
  scheduleRecordSchema,
  scheduleStatusSchema,
} from '#contract/triggers/flow-schedule.ts'
import { auditExempt } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, flowAccess } from '../chatflows/index.ts'
import { deleteLogs, enableSchedule, scheduleLogs, scheduleStatus } from './flow-schedule.ts'

const byFlow = z.object({ id: z.string().max(100) })

export const flowScheduleRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/chatflows/:id/schedule/status',
    summary: 'Get the schedule of a flow',
    answer: scheduleStatusSchema,
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
    summary: 'Enable or disable the schedule of a flow',
    audit: auditExempt.content,
    answer: scheduleRecordSchema,
    errors: ['conflict'],
    access: flowAccess('update'),
    params: byFlow,
    body: enableScheduleSchema,
    async handle({ params, body, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'update')
      return enableSchedule(services, memberOf(actor), { flowId: params.id, allowed, ...body })
    },
  }),

  route({
    method: 'GET',
    path: '/chatflows/:id/schedule/trigger-logs',
    summary: 'List the logs of a flow’s schedule',
    answer: scheduleLogsSchema,
    access: flowAccess('view', 'update'),
    params: byFlow,
    query: listLogsSchema,
    async handle({ params, query, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'view', 'update')
      return scheduleLogs(services, memberOf(actor), { flowId: params.id, allowed, ...query })
    },
  }),

  route({
    method: 'DELETE',
    path: '/chatflows/:id/schedule/trigger-logs',
    summary: 'Delete logs of a flow’s schedule with their executions',
    audit: auditExempt.content,
    answer: deletedLogsSchema,
    access: flowAccess('update'),
    params: byFlow,
    body: deleteLogsSchema,
    async handle({ params, body, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'update')
      return deleteLogs(services, memberOf(actor), { flowId: params.id, allowed, ...body })
    },
  }),
]
