/** What is kept encrypted of an MCP server: its headers, or its connection with an authorization server. */
import { mcpServers } from '#db/schema/index.ts'
import type { OAuthClient } from '../oauth-client.ts'
import { revokeToken, type Tokens } from '../token-request.ts'
import {
  connectionOf,
  readFresh,
  type TokenContext,
  type TokenRow,
  type TokenState,
  type TokenStore,
  withTokens,
  writeState,
} from '../token-rows.ts'
import type { Registration } from './registration.ts'

export type McpServerRow = typeof mcpServers.$inferSelect

export interface McpAuth extends TokenState {
  headers?: Record<string, string>
  /** What a person typed in. */
  client?: TypedClient
  connection?: McpConnection
}

export interface TypedClient {
  clientId?: string
  clientSecret?: string
  scope?: string
  /** Who was told the secret, and may be told it again. Undefined: nobody yet. */
  issuer?: string
}

/** The issuer of tokens and the server that they are for. They are good for exactly this. */
export interface McpConnection extends Registration {
  serverUrl: string
  redirectUri: string
  issuer: string
  sendsIssuer: boolean
  authorizationUrl: string
  tokenUrl: string
  resource: string
  scope?: string
  revocationUrl?: string
}

export function clientOf({ authorizationUrl, tokenUrl, clientId, ...connection }: McpConnection): OAuthClient {
  const { clientSecret, scope, authentication, issuer, sendsIssuer, resource } = connection
  return {
    ...{ authorizationUrl, tokenUrl, clientId, clientSecret, scope, authentication, issuer, sendsIssuer, resource },
    extra: new URLSearchParams(scope?.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
  }
}

/** Returns how the server stands. Tokens for another address are none. */
export function mcpConnectionOf({ serverUrl }: Pick<McpServerRow, 'serverUrl'>, auth: McpAuth) {
  return auth.connection?.serverUrl === serverUrl ? connectionOf(auth) : 'none'
}

/**
 * Returns the headers that requests to the server carry: those that were typed in, or its access token.
 * @throws Error that says what to do when there is no good token
 */
export async function readMcpHeaders(context: TokenContext, row: McpServerRow): Promise<Record<string, string>> {
  const auth = await openMcpAuth(context, row)
  if (row.authType !== 'OAUTH') return auth.headers ?? {}
  if (mcpConnectionOf(row, auth) === 'none')
    throw new Error(`The MCP server “${row.name}” is not connected: open Tools and connect it.`)
  const { access_token } = await readFresh(openStore(context), tokenRow(row))
  return { Authorization: `Bearer ${access_token}` }
}

export async function openMcpAuth(
  { cipher, wrappedKey }: Pick<TokenContext, 'cipher' | 'wrappedKey'>,
  { encryptedAuth }: Pick<McpServerRow, 'encryptedAuth'>,
): Promise<McpAuth> {
  return encryptedAuth === null ? {} : ((await cipher.decrypt(wrappedKey, encryptedAuth)) as McpAuth)
}

/** Stores the tokens of a new connection in place of those of an earlier one. */
export function writeConnection(
  context: TokenContext,
  row: McpServerRow,
  { connection, tokens }: { connection: McpConnection; tokens: Tokens },
): Promise<McpAuth> {
  const change = ({ headers, client }: McpAuth): McpAuth => {
    const kept: McpAuth = { headers, client: client && { ...client, issuer: connection.issuer }, connection }
    return withTokens(tokens)(kept)
  }
  return writeState(openStore(context), tokenRow(row), { change, expiresDate: tokens.expiresDate })
}

/**
 * Forgets the tokens, and who Heddle was to their authorization server. Then gives the tokens back, where the server
 * takes them; one that does not answer ends them when they expire.
 */
export async function dropConnection(context: TokenContext, row: McpServerRow): Promise<McpAuth> {
  let dropped: McpAuth = {}
  const change = (auth: McpAuth): McpAuth => {
    dropped = auth
    return { headers: auth.headers, client: auth.client }
  }
  const kept = await writeState(openStore(context), tokenRow(row), { change, expiresDate: null })
  const { connection, refresh_token, access_token } = dropped
  const token = refresh_token ?? access_token
  if (connection?.revocationUrl && token)
    await revokeToken(clientOf(connection), { url: connection.revocationUrl, token }, context).catch(() => undefined)
  return kept
}

function openStore(context: TokenContext): TokenStore<McpAuth> {
  const ofState = ({ connection }: McpAuth) => {
    if (!connection) throw new Error('It is not connected')
    return clientOf(connection)
  }
  const of = { table: mcpServers, column: 'encryptedAuth', noun: 'MCP server', page: 'Tools', clientOf: ofState }
  return { ...context, of }
}

const tokenRow = ({ id, name, encryptedAuth, expiresDate }: McpServerRow): TokenRow => ({
  id,
  name,
  encrypted: encryptedAuth,
  expiresDate,
})
