import * as z from 'zod'
import type { FlowVerb } from '#contract/access/callers.ts'
import {
  createTriggerSchema,
  deliverySchema,
  listTriggersSchema,
  replayDeliverySchema,
  triggerListSchema,
  triggerSchema,
  triggerSummarySchema,
  updateTriggerSchema,
} from '#contract/triggers/index.ts'
import { auditExempt } from '../../http/audit.ts'
import { memberOf, noContent, type Route, type RouteInput, route } from '../../http/route.ts'
import { allowedTypes, flowAccess } from '../chatflows/index.ts'
import { runTrigger } from './deliveries.ts'
import { createTrigger, deleteTrigger, pauseTrigger, resumeTrigger, updateTrigger } from './store.ts'
import { listTriggers, readTrigger } from './trigger-list.ts'

const byId = z.object({ id: z.string().max(100) })

type Caller = Pick<RouteInput<unknown, unknown, unknown>, 'actor' | 'services'>

const allowedTo =
  (...verbs: FlowVerb[]) =>
  ({ actor, services }: Caller) =>
    allowedTypes(actor, services.config, ...verbs)

const viewAccess = allowedTo('view', 'update')
const editAccess = allowedTo('update')

export const triggerRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/triggers',
    summary: 'List triggers',
    answer: triggerListSchema,
    access: flowAccess('view', 'update'),
    query: listTriggersSchema,
    handle: async ({ query, ...caller }) =>
      listTriggers(caller.services, memberOf(caller.actor), { ...query, allowed: viewAccess(caller) }),
  }),

  route({
    method: 'POST',
    path: '/triggers',
    summary: 'Create a trigger',
    audit: auditExempt.content,
    answer: triggerSchema,
    errors: ['not_found', 'conflict'],
    access: flowAccess('update'),
    body: createTriggerSchema,
    handle: async ({ body, ...caller }) =>
      createTrigger(caller.services, memberOf(caller.actor), { ...body, allowed: editAccess(caller) }),
  }),

  route({
    method: 'GET',
    path: '/triggers/:id',
    summary: 'Get a trigger',
    answer: triggerSummarySchema,
    access: flowAccess('view', 'update'),
    params: byId,
    handle: async ({ params, ...caller }) =>
      readTrigger(caller.services, memberOf(caller.actor), { ...params, allowed: viewAccess(caller) }),
  }),

  route({
    method: 'PUT',
    path: '/triggers/:id',
    summary: 'Update a trigger',
    audit: auditExempt.content,
    answer: triggerSchema,
    errors: ['conflict'],
    access: flowAccess('update'),
    params: byId,
    body: updateTriggerSchema,
    handle: async ({ params, body, ...caller }) =>
      updateTrigger(caller.services, memberOf(caller.actor), { ...body, ...params, allowed: editAccess(caller) }),
  }),

  route({
    method: 'DELETE',
    path: '/triggers/:id',
    summary: 'Delete a trigger',
    audit: auditExempt.content,
    answer: noContent,
    errors: ['conflict'],
    access: flowAccess('update'),
    params: byId,
    async handle({ params, ...caller }) {
      await deleteTrigger(caller.services, memberOf(caller.actor), { ...params, allowed: editAccess(caller) })
      return new Response(null, { status: 204 })
    },
  }),

  route({
    method: 'POST',
    path: '/triggers/:id/pause',
    summary: 'Pause a trigger',
    audit: auditExempt.content,
    answer: triggerSchema,
    errors: ['conflict'],
    access: flowAccess('update'),
    params: byId,
    handle: async ({ params, ...caller }) =>
      pauseTrigger(caller.services, memberOf(caller.actor), { ...params, allowed: editAccess(caller) }),
  }),

  route({
    method: 'POST',
    path: '/triggers/:id/resume',
    summary: 'Resume a trigger',
    audit: auditExempt.content,
    answer: triggerSchema,
    errors: ['conflict'],
    access: flowAccess('update'),
    params: byId,
    handle: async ({ params, ...caller }) =>
      resumeTrigger(caller.services, memberOf(caller.actor), { ...params, allowed: editAccess(caller) }),
  }),

  route({
    method: 'POST',
    path: '/triggers/:id/run',
    summary: 'Run a trigger manually',
    audit: auditExempt.run,
    answer: deliverySchema,
    errors: ['conflict'],
    access: flowAccess('update'),
    params: byId,
    body: replayDeliverySchema,
    handle: async ({ params, body, ...caller }) =>
      runTrigger(caller.services, memberOf(caller.actor), { ...body, ...params, allowed: editAccess(caller) }),
  }),
]
