/** Test helper: the tools of a workspace, without a database. */
import type { OwnTool, OwnTools } from '../../ports/types.ts'

export function ownTools(tools: Record<string, OwnTool> = {}): OwnTools {
  return {
    tool: async (id) => tools[id],
    mcpServer: async () => undefined,
    listMcpServers: async () => [],
    assistant: async () => undefined,
    listTools: async () => Object.entries(tools).map(([id, { name }]) => ({ label: name, name: id })),
  }
}
