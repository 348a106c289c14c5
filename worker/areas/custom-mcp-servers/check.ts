/** Asks an MCP server for its tools, and keeps what it said. */
import { eq } from 'drizzle-orm'
import { errorMessage } from '#contract/errors.ts'
import type { McpServer, McpTool } from '#contract/tools/mcp-servers.ts'
import { mcpServers } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { openMcpHeaders } from '../../components/mcp-headers.ts'
import type { Services } from '../../services.ts'
import { listServerTools } from '../../tools/mcp/list-tools.ts'
import { openMcpServer, readMcpServer } from './store.ts'

const TIMEOUT_MS = 60_000
const MAX_REASON = 1000

/** A server that cannot be reached is an ERROR with its reason, not a failed call. */
export async function checkMcpServer(services: Services, tenant: Tenant, id: string): Promise<McpServer> {
  const found = await ask(services, tenant, id)
  const tools = 'tools' in found ? found.tools : []
  const changed = {
    status: 'tools' in found ? ('AUTHORIZED' as const) : ('ERROR' as const),
    statusReason: 'tools' in found ? null : found.reason.slice(0, MAX_REASON),
    tools: JSON.stringify(tools),
    toolCount: tools.length,
    checkedDate: services.clock.now().toISOString(),
  }
  await scope(services.db, tenant).update(mcpServers, eq(mcpServers.id, id), changed)
  return readMcpServer(services, tenant, id)
}

/** Returns the tools as last listed. */
export async function readMcpTools(services: Services, tenant: Tenant, id: string): Promise<McpTool[]> {
  const { row } = await openMcpServer(services, tenant, id)
  const tools = row.tools && JSON.parse(row.tools)
  return Array.isArray(tools) ? tools : []
}

/** Forgets the tools that were listed. */
export async function markUnchecked({ db }: Services, tenant: Tenant, id: string): Promise<void> {
  const unchecked = { status: 'PENDING' as const, statusReason: null, tools: null, toolCount: 0, checkedDate: null }
  await scope(db, tenant).update(mcpServers, eq(mcpServers.id, id), unchecked)
}

async function ask(services: Services, tenant: Tenant, id: string): Promise<{ tools: McpTool[] } | { reason: string }> {
  const { row, wrappedKey } = await openMcpServer(services, tenant, id)
  const { egress } = services.openOutside(tenant.workspaceId)
  const { db, cipher, clock, config } = services
  const hidden: string[] = []
  try {
    const context = { db, cipher, clock, config, tenant, wrappedKey, egress }
    const { headers, secrets } = await openMcpHeaders(context, row)
    hidden.push(...secrets)
    const server = { url: row.serverUrl, headers }
    const tools = await listServerTools(server, { egress, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { tools }
  } catch (error) {
    return { reason: withoutSecrets(errorMessage(error), hidden) }
  }
}

/** A server may repeat in its error what it was sent. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.filter(Boolean).reduce((told, value) => told.replaceAll(value, '(hidden)'), text)
}
