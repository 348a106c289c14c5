/** The flows that an MCP client may call: one by its own token, or those of a workspace by an API key. */
import type { Context } from 'hono'
import { type CallersKey, callRefusal } from '#contract/access/callers.ts'
import { parseFlowData } from '#contract/chatflows/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { flowTool, withOwnNames } from '#contract/mcp/servers.ts'
import type { AppEnv } from '../../http/route.ts'
import { sameText, tokenHash } from '../../http/session/secrets.ts'
import { bearerKey, findPublicFlow, listServedFlows, type PublicFlow } from '../chatflows/index.ts'
import type { ServedTool } from './serve-message.ts'

/**
 * Throws `unauthorized` unless the call carries the token of the flow's server, whether there is one or not, and
 * `not_found` while it is off.
 */
export async function readServedFlow(c: Context<AppEnv>, flowId: string): Promise<ServedTool> {
  const flow = await findPublicFlow(c.get('services'), flowId)
  if (flow) c.set('calledWorkspaceId', flow.workspaceId)
  const token = bearerKey(c)
  if (token === undefined || !flow?.mcpServer || !sameText(tokenHash(token), flow.mcpServer.tokenHash)) {
    throw new HeddleError('unauthorized', 'Send the token of this MCP server: Authorization: Bearer <token>')
  }
  if (flow.mcpServer.enabled && kindOf(flow.type).isRunnable) return servedTool(flow, flow.mcpServer)
  throw new HeddleError('not_found', 'This MCP server is off. The owner of its flow can switch it on under Share.')
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
