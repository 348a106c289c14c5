/** Merges a person's input into the stored authorization of an MCP server. Pure. */
import type * as z from 'zod'
import { BLANK_SECRET } from '#contract/credentials/credentials.ts'
import type { createMcpServerSchema, McpServer } from '#contract/tools/mcp-servers.ts'
import type { McpAuth, McpServerRow, TypedClient } from '../../oauth/mcp/server-tokens.ts'

type AuthConfig = z.infer<typeof createMcpServerSchema>['authConfig']
type Headers = Record<string, string>

/** Sent values replace stored ones; blanks keep them, and headers that are not sent are dropped. Absent: all are kept. */
export function changedAuth(
  stored: McpAuth,
  authType: McpServerRow['authType'],
  sent: AuthConfig | undefined,
): McpAuth {
  if (authType === 'CUSTOM_HEADERS') {
    const headers = mergedHeaders(stored.headers ?? {}, sent?.headers ?? maskedHeaders(stored.headers ?? {}))
    return Object.keys(headers).length > 0 ? { headers } : {}
  }
  if (authType !== 'OAUTH') return {}
  const client = sent === undefined ? stored.client : mergedClient(stored.client ?? {}, sent ?? {})
  const { connection, access_token, refresh_token, refused } = stored
  const auth: McpAuth = {
    ...(client && Object.keys(client).length > 0 && { client }),
    ...(connection && { connection }),
    ...(access_token && { access_token }),
    ...(refresh_token && { refresh_token }),
    ...(refused && { refused }),
  }
  // Tokens belong to the client that asked for them.
  if (JSON.stringify(auth.client) !== JSON.stringify(stored.client)) forgetTokens(auth)
  return auth
}

export function forgetTokens(auth: McpAuth): void {
  delete auth.connection
  delete auth.access_token
  delete auth.refresh_token
  delete auth.refused
}

/** Returns what the API shows. */
export function maskedAuth({ headers = {}, client = {} }: McpAuth): McpServer['authConfig'] {
  if (Object.keys(headers).length === 0 && Object.keys(client).length === 0) return null
  const { clientSecret, issuer: _, ...shown } = client
  return { headers: maskedHeaders(headers), ...shown, ...(clientSecret && { clientSecret: BLANK_SECRET }) }
}

const maskedHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, BLANK_SECRET]))

function mergedHeaders(stored: Headers, sent: Headers): Headers {
  const entries = Object.entries(sent).map(([name, value]) => [name, value === BLANK_SECRET ? stored[name] : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

function mergedClient(stored: TypedClient, { clientId, clientSecret, scope }: TypedClient): TypedClient {
  const secret = clientSecret === BLANK_SECRET ? stored.clientSecret : clientSecret
  const { issuer } = clientId === stored.clientId && secret === stored.clientSecret ? stored : {}
  return {
    ...(clientId && { clientId }),
    ...(clientId && secret && { clientSecret: secret }),
    ...(scope && { scope }),
    ...(issuer && { issuer }),
  }
}
