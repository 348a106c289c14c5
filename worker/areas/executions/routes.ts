import * as z from 'zod'
import {
  deletedExecutionsSchema,
  deleteExecutionSchema,
  deleteExecutionsSchema,
  executionDetailSchema,
  executionListSchema,
  listExecutionsSchema,
  sharedExecutionSchema,
  updateExecutionSchema,
} from '#contract/runs/executions.ts'
import { auditExempt } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { listExecutions } from './list.ts'
import { deleteExecutions, readExecution, readSharedExecution, updateExecution } from './store.ts'

const byId = z.object({ id: z.string().max(100) })

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/executions',
    summary: 'List runs',
    answer: executionListSchema,
    access: { permission: 'executions:view' },
    query: listExecutionsSchema,
    async handle({ query, actor, services }) {
      return listExecutions(services.db, memberOf(actor), query)
    },
  }),

  route({
    method: 'GET',
    path: '/executions/:id',
    summary: 'Read a run with its steps',
    answer: executionDetailSchema,
    access: { permission: 'executions:view' },
    params: byId,
    async handle({ params, actor, services }) {
      return readExecution(services.db, memberOf(actor), params.id)
    },
  }),

  route({
    method: 'PUT',
    path: '/executions/:id',
    summary: 'Share or star a run',
    audit: auditExempt.content,
    answer: executionDetailSchema,
    access: { permission: 'executions:update' },
    params: byId,
    body: updateExecutionSchema,
    async handle({ params, body, actor, services }) {
      return updateExecution(services.db, memberOf(actor), { id: params.id, change: body })
    },
  }),

  route({
    method: 'DELETE',
    path: '/executions',
    summary: 'Delete runs',
    audit: auditExempt.content,
    answer: deletedExecutionsSchema,
    access: { permission: 'executions:delete' },
    body: deleteExecutionsSchema,
    async handle({ body, actor, services }) {
      return deleteExecutions(services.db, memberOf(actor), body)
    },
  }),

  route({
    method: 'DELETE',
    path: '/executions/:id',
    summary: 'Delete a run',
    audit: auditExempt.content,
    answer: deletedExecutionsSchema,
    access: { permission: 'executions:delete' },
    params: byId,
    query: deleteExecutionSchema,
    async handle({ params, query, actor, services }) {
      return deleteExecutions(services.db, memberOf(actor), { executionIds: [params.id], ...query })
    },
  }),

  route({
    method: 'GET',
    path: '/public-executions/:id',
    summary: 'Read a shared run',
    answer: sharedExecutionSchema,
    access: 'public',
    params: byId,
    async handle({ params, services }) {
      return readSharedExecution(services.db, params.id)
    },
  }),
]
