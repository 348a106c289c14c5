/** The tools of a connected MCP server. */
import type { MCPClient } from '@ai-sdk/mcp'
import { parseFencedJson } from '#contract/data/json.ts'
import { type Artifact, fileArtifact } from '#contract/runs/artifacts.ts'
import { bounded } from '../../providers/json-api.ts'
import { safeSchema } from '../schema.ts'
import type { CallableTool } from '../types.ts'
import { connect, type McpPorts, type McpServer } from './mcp-connection.ts'

const CALL_TIMEOUT_MS = 120_000
const MAX_PAGES = 50
const MAX_CHARS = 500_000

/**
 * Returns the chosen actions of a server as tools.
 * @param label names the component in errors
 */
export async function openActions(
  server: McpServer,
  { label, actions }: { label: string; actions: unknown },
  { egress, signal }: McpPorts,
): Promise<CallableTool[]> {
  const chosen = chosenActions(actions)
  if (chosen.length === 0) throw new Error(`${label}: choose at least one action under Available actions`)
  const connection = await connect(server, { egress, signal })
  try {
    const offered = new Map((await listTools(connection.client, { egress, signal })).map((tool) => [tool.name, tool]))
    return chosen.map((name): CallableTool => {
      const tool = offered.get(name)
      if (!tool)
        throw new Error(`${label}: the server no longer offers the action "${name}". Choose the actions again.`)
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

export async function listTools(client: MCPClient, { signal }: McpPorts): Promise<McpTool[]> {
  const tools: McpTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const options = { signal, timeout: CALL_TIMEOUT_MS }
    const { tools: listed, nextCursor } = await client.listTools({ ...(cursor && { params: { cursor } }), options })
    tools.push(...listed)
    if (!nextCursor) return tools
    cursor = nextCursor
  }
  throw new Error('The server’s list of tools is too long')
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
