/** Flows as tools for MCP clients, over stateless Streamable HTTP, and how their owners offer them. */

import * as z from 'zod'
import type { FlowVerb } from '#contract/access/callers.ts'
import {
  flowMcpServerSchema,
  RPC_ERRORS,
  rpcAnswerSchema,
  rpcMessageSchema,
  saveMcpServerSchema,
} from '#contract/mcp/servers.ts'
import { auditExempt, withAudit } from '../../http/audit.ts'
import { type Answer, type ErrorForm, memberOf, type Route, type RouteInput, route } from '../../http/route.ts'
import { flowAccess, readKey } from '../chatflows/index.ts'
import { keyHashOf } from '../predictions/index.ts'
import { serveMessage } from './serve-message.ts'
import { readServedFlow, readServedFlows } from './served-flows.ts'
import { readMcpServer, refreshToken, saveMcpServer, stopServing } from './settings.ts'

const byId = z.object({ id: z.string().max(100) })

const VIEW_VERBS: FlowVerb[] = ['view', 'create', 'update']
const EDIT_VERBS: FlowVerb[] = ['create', 'update']

type Called = Pick<RouteInput<unknown, unknown, z.infer<typeof byId>>, 'actor' | 'params'>
const toSettingsRequest = ({ actor, params }: Called, verbs: FlowVerb[]) => ({
  member: memberOf(actor),
  flowId: params.id,
  verbs,
})

const CODES: Record<number, number> = {
  400: RPC_ERRORS.invalidRequest,
  401: RPC_ERRORS.refused,
  403: RPC_ERRORS.refused,
  404: RPC_ERRORS.refused,
}

const errorForm: ErrorForm = {
  schema: rpcAnswerSchema,
  bodyOf: ({ status, message }) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code: CODES[status] ?? RPC_ERRORS.internal, message },
  }),
}

const answer: readonly Answer[] = [
  { schema: rpcAnswerSchema },
  { status: 202, description: 'The message needs no answer' },
]

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/mcp/:id',
    summary: 'Send a message to the MCP server of a flow',
    audit: auditExempt.run,
    description: 'Send the token of the server as `Authorization: Bearer <token>`.',
    answer,
    errors: ['unauthorized', 'rate_limited'],
    access: 'public',
    embeddable: true,
    errorForm,
    params: byId,
    body: rpcMessageSchema,
    async handle({ params, body, context }) {
      const served = await readServedFlow(context, params.id)
      return serveMessage(context, body, { readTools: () => [served] })
    },
  }),

  route({
    method: 'POST',
    path: '/mcp',
    summary: 'Send a message to the MCP server of a workspace',
    audit: auditExempt.run,
    description:
      'Send an API key as `Authorization: Bearer <key>`. Each flow that the key may run and whose MCP server is on is a tool.',
    answer,
    errors: ['unauthorized', 'rate_limited'],
    access: 'public',
    embeddable: true,
    errorForm,
    body: rpcMessageSchema,
    async handle({ body, context }) {
      const key = await readKey(context)
      return serveMessage(context, body, {
        readTools: () => readServedFlows(context, key),
        keyHash: keyHashOf(context),
      })
    },
  }),

  route({
    method: 'GET',
    path: '/mcp-server/:id',
    summary: 'Get how a flow is offered over MCP',
    answer: flowMcpServerSchema,
    access: flowAccess(...VIEW_VERBS),
    params: byId,
    async handle({ services, ...called }) {
      return readMcpServer(services, toSettingsRequest(called, VIEW_VERBS))
    },
  }),

  ...(['POST', 'PUT'] as const).map((method) =>
    route({
      method,
      path: '/mcp-server/:id',
      summary: method === 'POST' ? 'Offer a flow over MCP' : 'Change how a flow is offered over MCP',
      audit: 'flow.share',
      confirmed: true,
      description: 'The response to the first call contains the token, which is not shown again.',
      answer: flowMcpServerSchema,
      access: flowAccess(...EDIT_VERBS),
      params: byId,
      body: saveMcpServerSchema,
      async handle({ context, body, ...called }) {
        const change = method === 'POST' ? { enabled: true, ...body } : body
        return saveMcpServer(withAudit(context, memberOf(called.actor)), toSettingsRequest(called, EDIT_VERBS), change)
      },
    }),
  ),

  route({
    method: 'DELETE',
    path: '/mcp-server/:id',
    summary: 'Stop offering a flow over MCP',
    audit: 'flow.share',
    answer: flowMcpServerSchema,
    access: flowAccess(...EDIT_VERBS),
    params: byId,
    async handle({ context, ...called }) {
      return stopServing(withAudit(context, memberOf(called.actor)), toSettingsRequest(called, EDIT_VERBS))
    },
  }),

  route({
    method: 'POST',
    path: '/mcp-server/:id/refresh',
    summary: 'Replace the token of a flow’s MCP server',
    audit: 'flow.share',
    confirmed: true,
    answer: flowMcpServerSchema,
    access: flowAccess(...EDIT_VERBS),
    params: byId,
    async handle({ context, ...called }) {
      return refreshToken(withAudit(context, memberOf(called.actor)), toSettingsRequest(called, EDIT_VERBS))
    },
  }),
]
