/// <reference path="./oidc-provider.d.ts" />
/**
 * An OpenID Connect provider for tests: `oidc-provider` with one client and one person, who presses "Allow". A test can
 * change what it says of the person, and every ID token, which is signed again then.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import Provider from 'oidc-provider'

/** What the provider says of the person. */
interface PersonClaims {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

type Claims = Record<string, unknown>

/** Changes to an ID token, and a wrong signature for it. */
export interface Forgery {
  claims?(claims: Claims): Claims
  sign?: 'none' | 'client-secret' | 'other-key'
}

export interface IdentityProvider {
  /** Its issuer, and the start of its addresses. */
  url: string
  host: string
  client: { clientId: string; clientSecret: string }
  person: PersonClaims
  forgery: Forgery
  /** Names more addresses that people may be sent back to. Nothing is answered before the first. */
  accept(...redirectUris: string[]): void
  close(): Promise<void>
}

export const CLIENT = { clientId: 'heddle', clientSecret: 'a-client-secret-of-32-characters' }

/** @param port of 127.0.0.1; a free one by default */
export async function startIdentityProvider(port = 0): Promise<IdentityProvider> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `http://${host}`
  const keys = await makeKeys()
  let provider: Provider | undefined
  const redirectUris: string[] = []
  const started: IdentityProvider = {
    url,
    host,
    client: CLIENT,
    person: { sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'Ann' },
    forgery: {},
    accept(...more) {
      redirectUris.push(...more)
      provider = new Provider(url, configuration(redirectUris, { keys, person: () => started.person }))
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  server.on('request', async (request, response) => {
    if (!provider) throw new Error('No address was named that people may be sent back to')
    const [path = ''] = (request.url ?? '').split('?')
    if (path === '/token') forge(response, { keys, forgery: started.forgery })
    if (!path.startsWith('/interaction/')) return provider.callback()(request, response)
    if (path.endsWith('/allow')) return allow(provider, started.person.sub, request, response)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Provider</title><h1>Provider</h1><a href="${path}/allow">Allow</a>`)
  })
  return started
}

type Keys = Awaited<ReturnType<typeof makeKeys>>

async function makeKeys() {
  const [own, other] = [
    await generateKeyPair('RS256', { extractable: true }),
    await generateKeyPair('RS256', { extractable: true }),
  ]
  return { own: own.privateKey, other: other.privateKey, jwk: { ...(await exportJWK(own.privateKey)), kid: 'own' } }
}

function configuration(redirectUris: string[], { keys, person }: { keys: Keys; person(): PersonClaims }) {
  return {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...keys.jwk, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['for tests'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ ...person(), sub: id }) }),
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 3600, Session: 3600, Interaction: 600, IdToken: 600, AuthorizationCode: 60 },
  }
}

async function allow(provider: Provider, accountId: string, request: IncomingMessage, response: ServerResponse) {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId } })
  const grant = new provider.Grant({ accountId, clientId: params.client_id ?? '' })
  grant.addOIDCScope(params.scope ?? '')
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

/** Replaces the ID token of a response on its way out. */
function forge(response: ServerResponse, { keys, forgery }: { keys: Keys; forgery: Forgery }): void {
  if (!forgery.claims && !forgery.sign) return
  const end = response.end.bind(response) as (body: string) => ServerResponse
  const replace = async (body: string) => {
    const tokens: { id_token?: string } = JSON.parse(body)
    if (tokens.id_token) tokens.id_token = await signed(tokens.id_token, { keys, forgery })
    const replaced = JSON.stringify(tokens)
    response.setHeader('content-length', Buffer.byteLength(replaced))
    end(replaced)
  }
  response.end = ((body: unknown) => {
    replace(String(body))
    return response
  }) as typeof response.end
}

async function signed(token: string, { keys, forgery }: { keys: Keys; forgery: Forgery }): Promise<string> {
  const claims: Claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const changed = forgery.claims?.(claims) ?? claims
  if (forgery.sign === 'none') {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${encode({ alg: 'none' })}.${encode(changed)}.`
  }
  const isByClient = forgery.sign === 'client-secret'
  const header = isByClient ? { alg: 'HS256' } : { alg: 'RS256', kid: 'own' }
  const ownKey = forgery.sign === 'other-key' ? keys.other : keys.own
  return new SignJWT(changed)
    .setProtectedHeader(header)
    .sign(isByClient ? new TextEncoder().encode(CLIENT.clientSecret) : ownKey)
}
