/** The form of an MCP server: what it starts with, its checks, and what is sent of it. */
import type { McpServer, McpServerDraft } from '#contract/tools/mcp-servers.ts'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { BLANK_SECRET, headerLines, readHeaderLines } from './header-lines.ts'

export interface McpServerValues {
  name: string
  serverUrl: string
  authType: McpServer['authType']
  headers: string
  clientId: string
  /** Undefined: the stored one is kept. */
  clientSecret: string | undefined
  scope: string
}

export function mcpServerValues(server: McpServer | undefined): McpServerValues {
  const { headers = {}, clientId = '', clientSecret, scope = '' } = server?.authConfig ?? {}
  return {
    name: server?.name ?? '',
    serverUrl: server?.serverUrl ?? '',
    authType: server?.authType ?? 'NONE',
    headers: headerLines(headers),
    clientId,
    clientSecret: clientSecret === undefined ? '' : undefined,
    scope,
  }
}

export const checkMcpServerForm = ({ name, serverUrl, authType, headers }: McpServerValues) =>
  fieldErrors({
    name: name.trim() === '' && 'Enter a name.',
    serverUrl: !/^https?:\/\//.test(serverUrl.trim()) && 'Enter the URL, starting with https://.',
    headers:
      authType === 'CUSTOM_HEADERS' &&
      Object.keys(readHeaderLines(headers) ?? {}).length === 0 &&
      'Write each header as “Name: value”, one per line.',
  })

export function mcpServerDraft({ name, serverUrl, authType, ...values }: McpServerValues): McpServerDraft {
  return { name: name.trim(), serverUrl: serverUrl.trim(), authType, authConfig: toAuthConfig(authType, values) }
}

function toAuthConfig(
  authType: McpServer['authType'],
  { headers, clientId, clientSecret, scope }: Omit<McpServerValues, 'name' | 'serverUrl' | 'authType'>,
): McpServerDraft['authConfig'] {
  if (authType === 'CUSTOM_HEADERS') return { headers: readHeaderLines(headers) ?? {} }
  if (authType === 'NONE') return null
  const id = clientId.trim()
  const client = id === '' ? {} : { clientId: id, clientSecret: clientSecret ?? BLANK_SECRET }
  return { ...client, ...(scope.trim() && { scope: scope.trim() }) }
}
