import * as z from 'zod'
import { pageSchema } from '#contract/schemas/page.ts'
import { listOf } from '#contract/schemas/responses.ts'
import {
  createMcpServerSchema,
  listedMcpServerSchema,
  mcpServerSchema,
  mcpToolSchema,
  updateMcpServerSchema,
} from '#contract/tools/mcp-servers.ts'
import { byId, crudRoutes } from '../../http/crud-routes.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { checkMcpServer, readMcpTools } from './check.ts'
import { createMcpServer, deleteMcpServer, listMcpServers, readMcpServer, updateMcpServer } from './store.ts'

export const routes: Route[] = [
  ...crudRoutes({
    path: '/custom-mcp-servers',
    permission: 'tools',
    names: ['an MCP server', 'MCP servers'],
    list: { query: pageSchema, answer: listOf(listedMcpServerSchema), handle: listMcpServers },
    create: { body: createMcpServerSchema, answer: mcpServerSchema, handle: createMcpServer },
    update: { body: updateMcpServerSchema, answer: mcpServerSchema, handle: updateMcpServer },
    delete: deleteMcpServer,
  }),

  route({
    method: 'GET',
    path: '/custom-mcp-servers/:id',
    summary: 'Get an MCP server with its headers masked',
    answer: mcpServerSchema,
    access: { permission: 'tools:view' },
    params: byId,
    async handle({ params, actor, services }) {
      return readMcpServer(services, memberOf(actor), params.id)
    },
  }),

  route({
    method: 'GET',
    path: '/custom-mcp-servers/:id/tools',
    summary: 'List the tools of an MCP server, as last checked',
    answer: z.array(mcpToolSchema),
    access: { permission: 'tools:view' },
    params: byId,
    async handle({ params, actor, services }) {
      return readMcpTools(services, memberOf(actor), params.id)
    },
  }),

  route({
    method: 'POST',
    path: '/custom-mcp-servers/:id/authorize',
    summary: 'Connect to an MCP server and list its tools',
    description: 'A server that cannot be reached is answered too, with the status ERROR and the reason.',
    answer: mcpServerSchema,
    access: { permission: 'tools:create,tools:update' },
    params: byId,
    async handle({ params, actor, services }) {
      return checkMcpServer(services, memberOf(actor), params.id)
    },
  }),
]
