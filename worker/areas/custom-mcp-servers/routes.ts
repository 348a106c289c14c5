import * as z from 'zod'
import { oauthCallbackSchema } from '#contract/credentials/credentials.ts'
import { pageSchema } from '#contract/schemas/page.ts'
import { listOf } from '#contract/schemas/responses.ts'
import {
  authorizedMcpServerSchema,
  authorizeMcpServerSchema,
  createMcpServerSchema,
  listedMcpServerSchema,
  mcpServerSchema,
  mcpToolSchema,
  updateMcpServerSchema,
} from '#contract/tools/mcp-servers.ts'
import { auditExempt } from '../../http/audit.ts'
import { byId, crudRoutes } from '../../http/crud-routes.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { readMcpTools } from './check.ts'
import { authorizeMcpServer, CALLBACK, disconnectMcpServer, MAY_CONNECT, receiveCallback } from './oauth.ts'
import { createMcpServer, deleteMcpServer, listMcpServers, readMcpServer, updateMcpServer } from './store.ts'

export const routes: Route[] = [
  ...crudRoutes({
    path: '/custom-mcp-servers',
    permission: 'tools',
    names: ['an MCP server', 'MCP servers'],
    list: { query: pageSchema, answer: listOf(listedMcpServerSchema), handle: listMcpServers },
    create: { body: createMcpServerSchema, answer: mcpServerSchema, handle: createMcpServer },
    update: { body: updateMcpServerSchema, answer: mcpServerSchema, errors: ['conflict'], handle: updateMcpServer },
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
    audit: auditExempt.content,
    description:
      'A server that cannot be reached is answered too, with the status ERROR and the reason. Where a person must agree first (OAUTH), authorizationUrl is the page to open: for people, since the same browser must come back within ten minutes.',
    answer: authorizedMcpServerSchema,
    errors: ['bad_request', 'conflict'],
    access: { permission: MAY_CONNECT },
    limit: { max: 120, windowSeconds: 600 },
    params: byId,
    query: authorizeMcpServerSchema,
    handle: ({ params, query, actor, context }) =>
      authorizeMcpServer(context, actor, { id: params.id, reconnect: query.reconnect === 'true' }),
  }),

  route({
    method: 'POST',
    path: '/custom-mcp-servers/:id/disconnect',
    summary: 'Forget the tokens of an MCP server',
    audit: auditExempt.content,
    answer: mcpServerSchema,
    access: { permission: MAY_CONNECT },
    params: byId,
    handle: ({ params, actor, services }) => disconnectMcpServer(services, actor, params.id),
  }),

  route({
    method: 'GET',
    path: CALLBACK,
    summary: 'Finish connecting an MCP server',
    description: 'Redirect URL for the authorization server. The page notifies its opener and closes.',
    answer: [
      { type: 'text/html', description: 'The server is connected' },
      { status: 400, type: 'text/html', description: 'The connection failed; the page says why' },
    ],
    access: 'public',
    limit: { max: 120, windowSeconds: 600 },
    query: oauthCallbackSchema,
    handle: ({ context, query }) => receiveCallback(context, query),
  }),
]
