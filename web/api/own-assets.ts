/** The tools, MCP servers, assistants and document stores of the workspace, as the canvas offers them. */
import { queryOptions } from '@tanstack/react-query'
import type { ParamOption } from '#contract/flow/params/definition.ts'
import { api } from './client.ts'
import { keys } from './query.ts'

const LISTS = {
  tool: { owner: 'customTool', method: 'listCustomTools' },
  mcpServer: { owner: 'customMcpServerTool', method: 'listServers' },
  assistant: { owner: 'openAIAssistant', method: 'listAssistants' },
  store: { owner: 'retrieverAgentflow', method: 'listStores' },
}

/** Answers only those who may edit flows. */
export const ownAssetsQuery = (kind: keyof typeof LISTS) => {
  const { owner, method } = LISTS[kind]
  return queryOptions({
    queryKey: keys.list('node-load-method', { owner, method }),
    queryFn: () => api.post<ParamOption[]>(`/node-load-method/${owner}`, { loadMethod: method }),
    retry: false,
    staleTime: 10_000,
  })
}
