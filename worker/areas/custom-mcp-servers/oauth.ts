/** Connects an MCP server with its authorization server: to the consent page, and back with a code. */
import type { Context } from 'hono'
import type * as z from 'zod'
import type { oauthCallbackSchema } from '#contract/credentials/credentials.ts'
import type { OAuthMessage } from '#contract/credentials/oauth.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import type { AuthorizedMcpServer, McpServer } from '#contract/tools/mcp-servers.ts'
import { ownOrigin } from '../../http/own-origin.ts'
import { type Actor, type AppEnv, memberOf } from '../../http/route.ts'
import { rememberOAuthSession } from '../../http/session/cookies.ts'
import { takeReturn } from '../../http/session/oauth-return.ts'
import { callbackPage } from '../../oauth/callback-page.ts'
import { discoverProvider, type McpProvider } from '../../oauth/mcp/discovery.ts'
import { authenticationOf, type Registration, register } from '../../oauth/mcp/registration.ts'
import {
  clientOf,
  dropConnection,
  type McpAuth,
  type McpConnection,
  mcpConnectionOf,
  writeConnection,
} from '../../oauth/mcp/server-tokens.ts'
import { consentUrl, requireCode } from '../../oauth/oauth-client.ts'
import { beginRequest } from '../../oauth/requests.ts'
import { exchangeCode } from '../../oauth/token-request.ts'
import type { TokenContext } from '../../oauth/token-rows.ts'
import type { Egress } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import { checkMcpServer, markUnchecked } from './check.ts'
import { openMcpServer, readMcpServer } from './store.ts'

export const CALLBACK = '/oauth2-mcp/callback'
export const MAY_CONNECT = 'tools:create,tools:update'

type CallbackQuery = z.infer<typeof oauthCallbackSchema>

/**
 * Lists the server's tools where that needs nobody's consent. Otherwise starts a connection, in the browser of a
 * signed-in person alone: it is where the answer must come back.
 */
export async function authorizeMcpServer(
  c: Context<AppEnv>,
  actor: Actor,
  { id, reconnect }: { id: string; reconnect: boolean },
): Promise<AuthorizedMcpServer> {
  const services = c.get('services')
  const member = memberOf(actor)
  const { row, auth, wrappedKey } = await openMcpServer(services, member, id)
  const isConnected = mcpConnectionOf(row, auth) === 'connected'
  if (row.authType !== 'OAUTH' || (isConnected && !reconnect)) return checkMcpServer(services, member, id)
  if (actor.kind !== 'user')
    throw new HeddleError('forbidden', 'An MCP server is connected by a person: sign in and open Tools.')
  const redirectUri = `${ownOrigin(c)}/api/v1${CALLBACK}`
  const { egress } = services.openOutside(member.workspaceId)
  const connection = await plannedConnection(row.serverUrl, auth, { redirectUri, egress }).catch((error) => {
    throw new HeddleError('bad_request', `“${row.name}” can’t be connected: ${errorMessage(error)}`)
  })
  const { userId, sessionId } = actor
  const { state, challenge } = await beginRequest(
    services,
    { tenant: actor, wrappedKey },
    { ownerKind: 'mcpServer', ownerId: id, userId, sessionId, redirectUri, data: { connection } },
  )
  await rememberOAuthSession(c, sessionId)
  const authorizationUrl = consentUrl(clientOf(connection), { redirectUri, state, challenge })
  return { ...(await readMcpServer(services, member, id)), authorizationUrl }
}

/** Answers with a page in any case: a person looks at it. */
export async function receiveCallback(c: Context<AppEnv>, query: CallbackQuery): Promise<Response> {
  const { uiOrigin } = c.get('services').config
  const message = await connect(c, query).then(
    ({ id, name }): OAuthMessage => ({
      type: 'OAUTH2_SUCCESS',
      success: true,
      message: `“${name}” is connected.`,
      mcpServerId: id,
    }),
    (error): OAuthMessage => ({ type: 'OAUTH2_ERROR', success: false, message: errorMessage(error) }),
  )
  return callbackPage(message, uiOrigin ?? ownOrigin(c))
}

/** Gives the server's tokens back and forgets them. */
export async function disconnectMcpServer(services: Services, actor: Actor, id: string): Promise<McpServer> {
  const member = memberOf(actor)
  const { row, wrappedKey } = await openMcpServer(services, member, id)
  if (row.authType === 'OAUTH') {
    await dropConnection(tokenContext(services, member.workspaceId, wrappedKey), row)
    await markUnchecked(services, member, id)
  }
  return readMcpServer(services, member, id)
}

/** Returns the server that is now connected. Throws an Error for the person who came back. */
async function connect(c: Context<AppEnv>, query: CallbackQuery) {
  const services = c.get('services')
  const journey = { ownerKind: 'mcpServer' as const, permission: MAY_CONNECT, page: 'Tools' }
  const { actor, ownerId, wrappedKey, verifier, redirectUri, data } = await takeReturn(c, query.state, journey)
  const { row } = await openMcpServer(services, actor, ownerId)
  const connection = data.connection as McpConnection
  if (row.authType !== 'OAUTH' || row.serverUrl !== connection.serverUrl)
    throw new Error('The MCP server was changed in the meantime. Open Tools and connect again.')
  const client = clientOf(connection)
  const code = requireCode(client, query)
  const context = tokenContext(services, actor.workspaceId, wrappedKey)
  const tokens = await exchangeCode(client, { code, verifier, redirectUri }, context)
  await writeConnection(context, row, { connection, tokens })
  await checkMcpServer(services, actor, ownerId)
  return row
}

/** Finds who gives out tokens for the server, and makes Heddle known to them. */
async function plannedConnection(
  serverUrl: string,
  auth: McpAuth,
  { redirectUri, egress }: { redirectUri: string; egress: Egress },
): Promise<McpConnection> {
  const provider = await discoverProvider(serverUrl, egress)
  const { issuer, sendsIssuer, authorizationUrl, tokenUrl, revocationUrl, resource } = provider
  const scope = auth.client?.scope ?? provider.scope
  const registration =
    typedRegistration(provider, auth) ??
    knownRegistration(provider, auth, redirectUri) ??
    (await register(provider, redirectUri, egress))
  return {
    ...{ serverUrl, redirectUri, issuer, sendsIssuer, authorizationUrl, tokenUrl, resource },
    ...(scope && { scope }),
    ...(revocationUrl && { revocationUrl }),
    ...registration,
  }
}

function typedRegistration(provider: McpProvider, { client }: McpAuth): Registration | undefined {
  const { clientId, clientSecret, issuer } = client ?? {}
  if (!clientId) return undefined
  if (clientSecret && issuer && issuer !== provider.issuer)
    throw new Error(`it now asks ${provider.issuer} for tokens instead of ${issuer}. Enter the client’s secret again.`)
  return {
    clientId,
    ...(clientSecret && { clientSecret }),
    authentication: authenticationOf(provider, Boolean(clientSecret)),
  }
}

/** Returns who Heddle is to this authorization server already, unless that was refused. */
function knownRegistration({ issuer }: McpProvider, { connection, client, refused }: McpAuth, redirectUri: string) {
  if (!connection || client?.clientId || refused) return undefined
  if (connection.issuer !== issuer || connection.redirectUri !== redirectUri) return undefined
  const { clientId, clientSecret, authentication } = connection
  return { clientId, ...(clientSecret && { clientSecret }), authentication }
}

function tokenContext(services: Services, workspaceId: string, wrappedKey: string): TokenContext {
  const { db, cipher, clock } = services
  return { db, cipher, clock, tenant: { workspaceId }, wrappedKey, egress: services.openOutside(workspaceId).egress }
}
