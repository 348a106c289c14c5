import { queryOptions } from '@tanstack/react-query'
import type {
  AuthorizedMcpServer,
  ListedMcpServer,
  McpServer,
  McpServerDraft,
  McpTool,
} from '#contract/tools/mcp-servers.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

export const countTools = (count: number) => (count === 1 ? '1 tool' : `${count} tools`)

const AREA = 'custom-mcp-servers'

export const mcpServersQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => api.get<ListedMcpServer[]>(`/${AREA}`),
})

export const mcpServerQuery = (id: string) =>
  queryOptions({ queryKey: keys.one(AREA, id), queryFn: () => api.get<McpServer>(`/${AREA}/${id}`), staleTime: 0 })

/** Loads the tools of a server, as last checked. */
export const mcpToolsQuery = (id: string) =>
  queryOptions({ queryKey: keys.one(AREA, `${id}/tools`), queryFn: () => api.get<McpTool[]>(`/${AREA}/${id}/tools`) })

/** Creates a server, or updates the one with `id`. */
export async function saveMcpServer(fields: McpServerDraft, id?: string): Promise<McpServer> {
  const saved = await (id ? api.put<McpServer>(`/${AREA}/${id}`, fields) : api.post<McpServer>(`/${AREA}`, fields))
  await mcpServersChanged()
  return saved
}

/** Connects to the server and lists its tools. The answer has an address where a person must agree first. */
export async function authorizeMcpServer(id: string, { reconnect = false } = {}): Promise<AuthorizedMcpServer> {
  const query = reconnect ? '?reconnect=true' : ''
  const checked = await api.post<AuthorizedMcpServer>(`/${AREA}/${id}/authorize${query}`, {})
  await mcpServersChanged()
  return checked
}

/** Forgets the tokens of the server. */
export async function disconnectMcpServer(id: string): Promise<void> {
  await api.post<McpServer>(`/${AREA}/${id}/disconnect`, {})
  await mcpServersChanged()
}

export async function deleteMcpServer(id: string): Promise<void> {
  await api.delete(`/${AREA}/${id}`)
  await mcpServersChanged()
}

/** Open canvases list the servers too. */
export const mcpServersChanged = () => Promise.all([invalidate(AREA), invalidate('node-load-method')])
