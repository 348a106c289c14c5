/** A real OAuth 2 provider for tests: `oidc-provider` with one client, and one person who presses "Allow". */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface OAuthProvider {
  /** Its issuer, and the start of its addresses. */
  url: string
  host: string
  /** The fields of a credential that connects with it. */
  fields: Record<string, string>
  /** An address that answers 200 to a valid access token only. */
  resource: string
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

/**
 * @param redirectUri where people are sent back to
 * @param port of 127.0.0.1; a free one by default
 */
export async function startOAuthProvider(redirectUri: string, port = 0): Promise<OAuthProvider> {
  let lifetime = 3600
  let isRefusing = false
  const grants: string[] = []
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `http://${host}`

  const provider = new Provider(
    url,
    configuration(redirectUri, () => lifetime),
  )
  const answer = provider.callback()

  server.on('request', async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
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
    features: { devInteractions: { enabled: false } },
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
  const grant = new provider.Grant({ accountId: PERSON, clientId: CLIENT.clientId })
  grant.addOIDCScope(params.scope ?? '')
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
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
