/** Tools of MCP servers over HTTP. Local programs are never started. */
import type { MCPClient } from '@ai-sdk/mcp'
import { parseFencedJson } from '#contract/data/json.ts'
import type { ParamOption } from '#contract/flow/params/definition.ts'
import { type Artifact, fileArtifact } from '#contract/runs/artifacts.ts'
import { toolDefinition } from '../definition.ts'
import { safeSchema } from '../schema.ts'
import type { CallableTool, ToolContext, ToolType } from '../types.ts'
import { bounded } from '../web/json-api.ts'
import { connect, type McpPorts, type McpServer } from './mcp-connection.ts'

const CONFIG = 'MCP Server Config'
const CALL_TIMEOUT_MS = 120_000
const MAX_PAGES = 50
const MAX_CHARS = 500_000

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
          label: 'Available Actions',
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
  open,
}

/** Lists the server's tools for the canvas. Throws an Error that names the problem with the config or the server. */
export async function listMcpTools(config: Record<string, unknown>, ports: McpPorts): Promise<ParamOption[]> {
  const connection = await connect(serverOf(config), ports)
  try {
    const tools = await toolsOf(connection.client, ports)
    return tools
      .map(({ name, description }) => ({ label: name, name, description: description ?? '' }))
      .sort((a, b) => a.name.localeCompare(b.name))
  } finally {
    await connection.close()
  }
}

async function open({ config, egress, signal }: ToolContext): Promise<CallableTool[]> {
  const server = serverOf(config)
  const chosen = chosenActions(config.mcpActions)
  if (chosen.length === 0) throw new Error('Custom MCP: choose at least one action under Available Actions')
  const connection = await connect(server, { egress, signal })
  try {
    const offered = new Map((await toolsOf(connection.client, { egress, signal })).map((tool) => [tool.name, tool]))
    return chosen.map((name): CallableTool => {
      const tool = offered.get(name)
      if (!tool)
        throw new Error(`Custom MCP: the server no longer offers the action "${name}". Choose the actions again.`)
      return {
        name: name.replace(/[^A-Za-z0-9_-]/g, '_'),
        description: tool.description ?? name,
        parameters: safeSchema({ type: 'object', ...tool.inputSchema }),
        hasEffect: tool.annotations?.readOnlyHint !== true,
        async call(args, key, step) {
          const options = { signal, timeout: CALL_TIMEOUT_MS }
          connection.carryKey(name, key)
          const result = await connection.client.callTool({ name, arguments: args, options })
          const words = resultText(result)
          step?.show(imagesOf(result))
          return words
        },
        close: connection.close,
      }
    })
  } catch (error) {
    await connection.close()
    throw error
  }
}

type McpTool = Awaited<ReturnType<MCPClient['listTools']>>['tools'][number]

async function toolsOf(client: MCPClient, { signal }: McpPorts): Promise<McpTool[]> {
  const tools: McpTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const options = { signal, timeout: CALL_TIMEOUT_MS }
    const { tools: listed, nextCursor } = await client.listTools({ ...(cursor && { params: { cursor } }), options })
    tools.push(...listed)
    if (!nextCursor) return tools
    cursor = nextCursor
  }
  throw new Error('Custom MCP: the server’s list of tools is too long')
}

/** Parses the config. @throws Error that names the invalid field */
function serverOf({ mcpServerConfig }: Record<string, unknown>): McpServer {
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
  return { url, headers: headersOf(headers ?? {}) }
}

function headersOf(headers: unknown): Record<string, string> {
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

function chosenActions(value: unknown): string[] {
  const actions = typeof value === 'string' ? parseFencedJson(value) : value
  return Array.isArray(actions) ? actions.filter((name): name is string => typeof name === 'string') : []
}

type Result = Awaited<ReturnType<MCPClient['callTool']>>

/** Returns the result as text for the model. @throws Error with the server's message when the call failed */
function resultText({ content, structuredContent, isError }: Result): string {
  const parts = (content ?? []) as Record<string, unknown>[]
  const words = parts.filter(({ type }) => type !== 'image').map(answerText)
  const said =
    words.join('\n') ||
    (structuredContent ? JSON.stringify(structuredContent) : '') ||
    parts.map(() => 'An image').join('\n')
  const text = bounded(said, MAX_CHARS)
  if (isError) throw new Error(text || 'The MCP server reported an error without a message')
  return text
}

function imagesOf({ content }: Result): Artifact[] {
  return ((content ?? []) as Record<string, unknown>[]).flatMap(({ type, data, mimeType }) =>
    type === 'image' ? [fileArtifact(`data:${mimeType};base64,${data}`)] : [],
  )
}

function answerText({ type, text, mimeType, uri, resource }: Record<string, unknown>): string {
  if (type === 'text') return String(text)
  const embedded = (resource ?? {}) as Record<string, unknown>
  if (typeof embedded.text === 'string') return embedded.text
  return `[${[type, uri ?? embedded.uri, mimeType ?? embedded.mimeType].filter(Boolean).join(' ')}]`
}
