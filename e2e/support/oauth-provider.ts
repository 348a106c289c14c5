/// <reference path="./oidc-provider.d.ts" />
/**
 * A real OAuth 2 provider for tests: `oidc-provider` with one client, and one person who presses "Allow". Beside it stands
 * an MCP server that its tokens open.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { scriptedMcp } from '#worker/tools/mcp/testing/scripted-mcp.ts'

export interface OAuthProvider {
  /** Its issuer, and the start of its addresses. */
  url: string
  host: string
  /** The fields of a credential that connects with it. */
  fields: Record<string, string>
  /** An address that answers 200 to a valid access token only. */
  resource: string
  /** The address of an MCP server with one tool, `whoami`, for which clients register themselves. */
  mcp: string
  /** The number of clients that have registered themselves. */
  registrations(): number
  /** The number of grants that were given back. */
  revocations(): number
  /** What the MCP server says of itself: who gives out its tokens. */
  setMetadata(change: object): void
  /** The grants of token requests, in order: `authorization_code`, `refresh_token`. */
  grants: string[]
  /** Seconds that new access tokens are good for. */
  setLifetime(seconds: number): void
  /** Refuses every refresh token. */
  setRefusing(refuses: boolean): void
  close(): Promise<void>
}

const CLIENT = { clientId: 'heddle', clientSecret: 'a-client-secret-of-32-characters' }
const PERSON = 'ann'
const MCP_SCOPE = 'tools:use'

/**
 * @param redirectUri where people are sent back to
 * @param port of 127.0.0.1; a free one by default
 */
export async function startOAuthProvider(redirectUri: string, port = 0): Promise<OAuthProvider> {
  let lifetime = 3600
  let isRefusing = false
  let registrations = 0
  let revocations = 0
  let metadata: object = {}
  const grants: string[] = []
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `http://${host}`

  const mcp = `${url}/mcp`
  const provider = new Provider(
    url,
    configuration(redirectUri, () => lifetime),
  )
  provider.on('registration_create.success', () => registrations++)
  provider.on('grant.revoked', () => revocations++)
  const answer = provider.callback()

  server.on('request', async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    if (path === '/mcp') return answerMcp(provider, mcp, { request, response })
    if (path === '/.well-known/oauth-protected-resource/mcp') {
      response.writeHead(200, { 'content-type': 'application/json' })
      const own = { resource: mcp, authorization_servers: [url], scopes_supported: [MCP_SCOPE], ...metadata }
      return response.end(JSON.stringify(own))
    }
    if (path === '/token') {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => grants.push(new URLSearchParams(body).get('grant_type') ?? ''))
      if (isRefusing) {
        await once(request, 'end')
        response.writeHead(400, { 'content-type': 'application/json' })
        return response.end('{"error":"invalid_grant","error_description":"The grant was revoked"}')
      }
    }
    if (!path.startsWith('/interaction/')) return answer(request, response)
    if (path.endsWith('/allow')) return allow(provider, request, response)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Provider</title><h1>Provider</h1><a href="${path}/allow">Allow</a>`)
  })

  return {
    url,
    host,
    fields: {
      ...CLIENT,
      authorizationUrl: `${url}/auth`,
      accessTokenUrl: `${url}/token`,
      scope: 'openid offline_access',
      additionalParameters: 'prompt=consent',
    },
    resource: `${url}/me`,
    mcp,
    registrations: () => registrations,
    revocations: () => revocations,
    setMetadata(change) {
      metadata = change
    },
    grants,
    setLifetime(seconds) {
      lifetime = seconds
    },
    setRefusing(refuses) {
      isRefusing = refuses
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Every client must use PKCE, and every refresh token is good once. */
function configuration(redirectUri: string, lifetime: () => number) {
  return {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: ['for tests'] },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, audience: string) => ({
          ...{ audience, scope: MCP_SCOPE, accessTokenFormat: 'opaque', accessTokenTTL: lifetime() },
        }),
      },
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: () => true,
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: { AccessToken: lifetime, Grant: 3600, Session: 3600, Interaction: 600, IdToken: 600, RefreshToken: 3600 },
  }
}

async function allow(provider: Provider, ...[request, response]: Parameters<Provider['interactionDetails']>) {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: PERSON } })
  const grant = new provider.Grant({ accountId: PERSON, clientId: params.client_id ?? '' })
  grant.addOIDCScope(params.scope ?? '')
  if (params.resource) grant.addResourceScope(params.resource, MCP_SCOPE)
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

/** Answers as an MCP server does: 401 with a pointer to its metadata, unless the token was given out for it. */
async function answerMcp(
  provider: Provider,
  mcp: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
) {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const known = token ? await provider.AccessToken.find(token) : undefined
  if (!known?.isValid || ![known.aud].flat().includes(mcp)) {
    const about = `${new URL(mcp).origin}/.well-known/oauth-protected-resource/mcp`
    const challenge = `Bearer error="invalid_token", resource_metadata="${about}"`
    response.writeHead(401, { 'www-authenticate': challenge })
    return response.end(`who is ${token}?`)
  }
  const { egress } = scriptedMcp({
    kind: 'http',
    tools: [{ name: 'whoami', description: 'Says who asks', inputSchema: { type: 'object', properties: {} } }],
    call: () => ({ content: [{ type: 'text', text: PERSON }] }),
  })
  const chunks: Buffer[] = await request.toArray()
  const answer = await egress.fetch(mcp, {
    method: request.method ?? 'GET',
    headers: request.headers as Record<string, string>,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks).toString() }),
  })
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(await answer.text())
}

/** Follows the consent page as a browser does, allows everything, and returns the address that people are sent back to. */
export async function consentAt(authorizationUrl: string, isBack: (url: URL) => boolean): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(authorizationUrl)
  for (let steps = 0; steps < 20; steps++) {
    if (isBack(next)) return next
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null && next.pathname.startsWith('/interaction/')) next = new URL(`${next.href}/allow`)
    else if (location === null)
      throw new Error(`The provider responded with ${response.status}: ${await response.text()}`)
    else next = new URL(location, next)
  }
  throw new Error('The provider never sent anyone back')
}
