import { pageSchema } from '#contract/schemas/page.ts'
import { listOf } from '#contract/schemas/responses.ts'
import {
  createToolSchema,
  listedToolSchema,
  testToolSchema,
  toolSchema,
  toolTestSchema,
  updateToolSchema,
} from '#contract/tools/schemas.ts'
import { auditExempt } from '../../http/audit.ts'
import { byId, crudRoutes } from '../../http/crud-routes.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { createTool, deleteTool, listTools, readTool, updateTool } from './store.ts'
import { testTool } from './test-tool.ts'

export const routes: Route[] = [
  ...crudRoutes({
    path: '/tools',
    permission: 'tools',
    names: ['a tool', 'tools'],
    list: { query: pageSchema, answer: listOf(listedToolSchema), handle: listTools },
    create: { body: createToolSchema, answer: toolSchema, handle: createTool },
    update: { body: updateToolSchema, answer: toolSchema, handle: updateTool },
    delete: deleteTool,
  }),

  route({
    method: 'GET',
    path: '/tools/:id',
    summary: 'Get a tool',
    answer: toolSchema,
    access: { permission: 'tools:view' },
    params: byId,
    async handle({ params, actor, services }) {
      return readTool(services, memberOf(actor), params.id)
    },
  }),

  route({
    method: 'POST',
    path: '/tools/test',
    summary: 'Try a tool',
    audit: auditExempt.read,
    description: 'Runs a function with arguments in the sandbox, as an agent would. Nothing is stored.',
    answer: toolTestSchema,
    errors: ['rate_limited'],
    access: { permission: 'tools:create,tools:update' },
    body: testToolSchema,
    async handle({ body, actor, services }) {
      return testTool(services, memberOf(actor), body)
    },
  }),
]
