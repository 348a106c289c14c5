import { queryOptions } from '@tanstack/react-query'
import type { ListedTool, ToolTest } from '#contract/tools/schemas.ts'
import type { ToolFile } from '#contract/tools/tool-file.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'tools'

export const toolsQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => api.get<ListedTool[]>('/tools'),
})

/** Creates a tool, or updates the one with `id`. */
export async function saveTool(fields: ToolFile, id?: string): Promise<void> {
  await (id ? api.put(`/tools/${id}`, fields) : api.post('/tools', fields))
  await changed()
}

export async function deleteTool(id: string): Promise<void> {
  await api.delete(`/tools/${id}`)
  await changed()
}

export const testTool = (call: { schema: string; func: string; arguments: unknown }): Promise<ToolTest> =>
  api.post<ToolTest>('/tools/test', call)

/** Open canvases list the tools too. */
const changed = () => Promise.all([invalidate(AREA), invalidate('node-load-method')])
