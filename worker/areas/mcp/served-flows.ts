/** The flows that an MCP client may call: one by its own token, or those of a workspace by an API key. */
import type { Context } from 'hono'
import { type CallersKey, callRefusal } from '#contract/access/callers.ts'
import { parseFlowData } from '#contract/chatflows/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { flowTool, withOwnNames } from '#contract/mcp/servers.ts'
import type { AppEnv } from '../../http/route.ts'
import { sameText, tokenHash } from '../../http/session/secrets.ts'
import { bearerKey, listServedFlows, type PublicFlow, readPublicFlow } from '../chatflows/index.ts'
import type { ServedTool } from './serve-message.ts'

/** Throws `not_found` while the flow's server is off, and `unauthorized` unless the call carries its token. */
export async function readServedFlow(c: Context<AppEnv>, flowId: string): Promise<ServedTool> {
  const flow = await readPublicFlow(c.get('services'), flowId)
  if (!flow.mcpServer?.enabled || !kindOf(flow.type).isRunnable) {
    throw new HeddleError('not_found', `Flow ${flowId} not found`)
  }
  c.set('calledWorkspaceId', flow.workspaceId)
  const token = bearerKey(c)
  if (token === undefined || !sameText(tokenHash(token), flow.mcpServer.tokenHash)) {
    throw new HeddleError('unauthorized', 'Send the token of this MCP server: Authorization: Bearer <token>')
  }
  return servedTool(flow, flow.mcpServer)
}

/** Returns the flows that the key may run and whose MCP server is on. */
export async function readServedFlows(c: Context<AppEnv>, key: CallersKey): Promise<ServedTool[]> {
  const origin = c.req.header('origin')
  const flows = await listServedFlows(c.get('services'), key.workspaceId)
  const tools = flows.flatMap((flow) => {
    const isOpen = callRefusal(flow, { key, ...(origin !== undefined && { origin }) }) === undefined
    return isOpen && flow.mcpServer && kindOf(flow.type).isRunnable ? [servedTool(flow, flow.mcpServer)] : []
  })
  return withOwnNames(tools)
}

function servedTool({ id, type, flowData }: PublicFlow, settings: NonNullable<PublicFlow['mcpServer']>): ServedTool {
  return { flowId: id, tool: flowTool(settings, kindOf(type).startNode(parseFlowData(flowData))) }
}
