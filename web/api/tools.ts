/** Saves the tools that a workspace writes itself. */
import type { ToolFile } from '#contract/tools/tool-file.ts'
import { api } from './client.ts'
import { invalidate } from './query.ts'

export const TOOLS = 'tools'

/** Creates a tool, or updates the one with `id`. */
export async function saveTool(fields: ToolFile, id?: string): Promise<void> {
  await (id ? api.put(`/tools/${id}`, fields) : api.post('/tools', fields))
  await toolsChanged()
}

/** Open canvases list the tools too. */
export const toolsChanged = () => Promise.all([invalidate(TOOLS), invalidate('node-load-method')])
