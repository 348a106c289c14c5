import { queryOptions } from '@tanstack/react-query'
import type { ListedTool, ToolTest } from '#contract/tools/schemas.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { TOOLS, toolsChanged } from '../../api/tools.ts'

export const toolsQuery = queryOptions({
  queryKey: keys.list(TOOLS),
  queryFn: () => api.get<ListedTool[]>('/tools'),
})

export async function deleteTool(id: string): Promise<void> {
  await api.delete(`/tools/${id}`)
  await toolsChanged()
}

export const testTool = (call: { schema: string; func: string; arguments: unknown }): Promise<ToolTest> =>
  api.post<ToolTest>('/tools/test', call)
