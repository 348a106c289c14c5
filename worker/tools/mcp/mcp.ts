/** Tools of MCP servers over HTTP. Local programs are never started. */
import { parseFencedJson } from '#contract/data/json.ts'
import type { ParamOption } from '#contract/flow/params/definition.ts'
import type { McpTool } from '#contract/tools/mcp-servers.ts'
import { toolDefinition } from '../definition.ts'
import type { ToolType } from '../types.ts'
import { listServerTools } from './list-tools.ts'
import type { McpPorts, McpServer } from './mcp-connection.ts'
import { openActions } from './server-tools.ts'

const CONFIG = 'MCP server config'

export const customMcp: ToolType = {
  definition: {
    ...toolDefinition({
      label: 'Custom MCP',
      name: 'customMCP',
      type: 'Custom MCP Tool',
      version: 1.1,
      description: 'Tools of an MCP server',
      hint: 'Connects to the server’s "url" (streamable HTTP or SSE). Local programs ("command") are not supported: host the server elsewhere and enter its URL.',
      inputs: [
        {
          label: CONFIG,
          name: 'mcpServerConfig',
          type: 'code',
          codeLanguage: 'json',
          hideCodeExecute: true,
          acceptVariable: true,
          unsupportedKeys: ['command'],
          description: 'Use variables for secrets: {{$vars.name}}',
          placeholder:
            '{\n  "url": "https://mcp.example.com/mcp",\n  "headers": { "Authorization": "Bearer {{$vars.token}}" }\n}',
        },
        {
          label: 'Available actions',
          name: 'mcpActions',
          type: 'asyncMultiOptions',
          loadMethod: 'listActions',
          description: 'The server’s tools that the agent can use',
          refresh: true,
        },
      ],
    }),
    category: 'Tools (MCP)',
    baseClasses: ['Tool'],
  },
  loadMethods: { listActions: ({ config, ...ports }) => listMcpTools(config, ports) },
  open: async ({ config, ...ports }) =>
    openActions(parseServer(config), { label: 'Custom MCP', actions: config.mcpActions }, ports),
}

/** Lists the server's tools for the canvas. Throws an Error that names the problem with the config or the server. */
export async function listMcpTools(config: Record<string, unknown>, ports: McpPorts): Promise<ParamOption[]> {
  return optionsOf(await listServerTools(parseServer(config), ports))
}

export const optionsOf = (tools: readonly McpTool[]): ParamOption[] =>
  tools.map(({ name, description }) => ({ label: name, name, description }))

/** Parses the config. @throws Error that names the invalid field */
function parseServer({ mcpServerConfig }: Record<string, unknown>): McpServer {
  const config = typeof mcpServerConfig === 'string' ? parseFencedJson(mcpServerConfig) : mcpServerConfig
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw new Error(`${CONFIG} must be JSON, for example { "url": "https://mcp.example.com/mcp" }`)
  const { url, headers, command, mcpServers } = config as Record<string, unknown>
  if (mcpServers !== undefined)
    throw new Error(`${CONFIG}: Enter the config of a single server, without "mcpServers" and the server name`)
  if (command !== undefined)
    throw new Error(
      `${CONFIG}: local programs ("command") are not supported. Host the server elsewhere and enter its URL as "url".`,
    )
  if (typeof url !== 'string' || !URL.canParse(url))
    throw new Error(`${CONFIG}: "url" must be the server's URL, starting with https://`)
  return { url, headers: parseHeaders(headers ?? {}) }
}

function parseHeaders(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new Error(`${CONFIG}: "headers" must be an object of names and values`)
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      try {
        new Headers().set(name, String(value))
      } catch {
        throw new Error(`${CONFIG}: "${name}" is not a valid header name, or its value contains a line break`)
      }
      return [name, String(value)]
    }),
  )
}
