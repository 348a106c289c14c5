import { queryOptions } from '@tanstack/react-query'
import type { ListedMcpServer, McpServer, McpServerDraft } from '#contract/tools/mcp-servers.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'custom-mcp-servers'

export const mcpServersQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => api.get<ListedMcpServer[]>(`/${AREA}`),
})

export const mcpServerQuery = (id: string) =>
  queryOptions({ queryKey: keys.one(AREA, id), queryFn: () => api.get<McpServer>(`/${AREA}/${id}`), staleTime: 0 })

/** Creates a server, or updates the one with `id`. */
export async function saveMcpServer(fields: McpServerDraft, id?: string): Promise<McpServer> {
  const saved = await (id ? api.put<McpServer>(`/${AREA}/${id}`, fields) : api.post<McpServer>(`/${AREA}`, fields))
  await changed()
  return saved
}

/** Connects to the server and lists its tools. */
export async function checkMcpServer(id: string): Promise<McpServer> {
  const checked = await api.post<McpServer>(`/${AREA}/${id}/authorize`, {})
  await changed()
  return checked
}

export async function deleteMcpServer(id: string): Promise<void> {
  await api.delete(`/${AREA}/${id}`)
  await changed()
}

/** Open canvases list the servers too. */
const changed = () => Promise.all([invalidate(AREA), invalidate('node-load-method')])
