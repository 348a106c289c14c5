import type { McpTool } from '#contract/tools/mcp-servers.ts'
import { connect, type McpPorts, type McpServer } from './mcp-connection.ts'
import { listTools } from './server-tools.ts'

const MAX_DESCRIPTION = 2000

/** Returns the server's tools by name. Throws an Error that names the problem with the server. */
export async function listServerTools(server: McpServer, ports: McpPorts): Promise<McpTool[]> {
  const connection = await connect(server, ports)
  try {
    const tools = await listTools(connection.client, ports)
    return tools
      .map(({ name, description = '' }) => ({ name, description: description.slice(0, MAX_DESCRIPTION) }))
      .sort((a, b) => a.name.localeCompare(b.name))
  } finally {
    await connection.close()
  }
}
