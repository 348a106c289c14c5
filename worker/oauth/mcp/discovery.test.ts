// @defends token-mcp-server
import { describe, expect, it } from 'vitest'
import { findRunaway } from '#worker/local/testing/growth.ts'
import type { Egress } from '../../ports/types.ts'
import { challengeIn, discoverProvider, isResourceOf } from './discovery.ts'
import { register } from './registration.ts'

const SERVER = 'https://mcp.example/team/mcp'
const AUTH = 'https://auth.example'
const about = (change: object = {}) => ({
  issuer: AUTH,
  authorization_endpoint: `${AUTH}/authorize`,
  token_endpoint: `${AUTH}/token`,
  code_challenge_methods_supported: ['S256'],
  ...change,
})

/** Answers with JSON by address; everything else is 404, and the server's own address asks for a token. */
function web(pages: Record<string, object>, challenge = 'Bearer') {
  const asked: string[] = []
  const egress: Egress = {
    async fetch(input) {
      const url = String(input)
      asked.push(url)
      if (url === SERVER) return new Response('', { status: 401, headers: { 'www-authenticate': challenge } })
      return url in pages ? Response.json(pages[url]) : new Response('', { status: 404 })
    },
  }
  return { egress, asked }
}

const resource = (change: object = {}) => ({ resource: SERVER, authorization_servers: [AUTH], ...change })
const PATH_METADATA = 'https://mcp.example/.well-known/oauth-protected-resource/team/mcp'
const AUTH_METADATA = `${AUTH}/.well-known/oauth-authorization-server`

describe('discovery of who gives out tokens for an MCP server', () => {
  it('follows the address that the server names when it refuses', async () => {
    const named = 'https://mcp.example/about'
    const { egress, asked } = web(
      { [named]: resource(), [AUTH_METADATA]: about() },
      `Basic realm="x", Bearer scope="read write", resource_metadata="${named}"`,
    )
    expect(await discoverProvider(SERVER, egress)).toMatchObject({
      issuer: AUTH,
      resource: SERVER,
      scope: 'read write',
    })
    expect(asked).toEqual([SERVER, named, AUTH_METADATA])
  })

  it('looks at the known places, below the path first, and asks for a refresh token where one is offered', async () => {
    const { egress } = web({
      [PATH_METADATA]: resource({ scopes_supported: ['a'], authorization_servers: [`${AUTH}/realm`] }),
      [`${AUTH}/.well-known/openid-configuration/realm`]: about({
        issuer: `${AUTH}/realm`,
        scopes_supported: ['openid', 'offline_access'],
      }),
    })
    expect(await discoverProvider(SERVER, egress)).toMatchObject({ issuer: `${AUTH}/realm`, scope: 'a offline_access' })
  })

  it('takes a server that says nothing for its own authorization server', async () => {
    const issuer = 'https://mcp.example'
    const { egress } = web({ [`${issuer}/.well-known/oauth-authorization-server`]: about({ issuer }) })
    expect(await discoverProvider(SERVER, egress)).toMatchObject({ issuer, resource: SERVER })
  })

  it.each([
    ['poses as another issuer', about({ issuer: 'https://victim.example' }), 'says that it is someone else'],
    ['knows no PKCE', about({ code_challenge_methods_supported: ['plain'] }), 'does not support PKCE'],
    ['sends people to a script', about({ authorization_endpoint: 'javascript:alert(1)' }), 'no address with https://'],
    ['takes tokens unencrypted', about({ token_endpoint: 'http://auth.example/t' }), 'no address with https://'],
  ])('refuses an authorization server that %s', async (_, metadata, message) => {
    const { egress } = web({ [PATH_METADATA]: resource(), [AUTH_METADATA]: metadata })
    await expect(discoverProvider(SERVER, egress)).rejects.toThrow(message)
  })
})

it.each([
  [SERVER, true],
  ['https://mcp.example', true],
  ['https://mcp.example/team', true],
  ['https://mcp.example/te', false],
  ['https://mcp.example/team/mcp/more', false],
  ['https://evil.example/team/mcp', false],
  ['http://mcp.example/team/mcp', false],
  [undefined, false],
])('takes %s for a resource that the server is of: %s', (named, expected) => {
  expect(isResourceOf(named, SERVER)).toBe(expected)
})

it('reads a challenge', () => {
  expect(challengeIn('Bearer resource_metadata=https://a.example/x, scope="a b"')).toEqual({
    metadataUrl: 'https://a.example/x',
    scope: 'a b',
  })
})

it('reads a challenge of any length in time that grows with it at most', async () => {
  const attacks = [' resource_metadata="', ' scope="', ', ', '"', ' ', '='].map((piece) => ({
    start: 'Bearer ',
    piece,
    end: '',
  }))
  expect(await findRunaway(challengeIn, attacks)).toBeUndefined()
})

describe('registration', () => {
  const provider = {
    ...{ issuer: AUTH, authorizationUrl: `${AUTH}/a`, tokenUrl: `${AUTH}/t`, registrationUrl: `${AUTH}/r` },
    ...{ authentications: ['client_secret_post', 'none'], sendsIssuer: false, resource: SERVER },
  }
  const answering = (status: number, answer: object): Egress => ({
    fetch: async () => Response.json(answer, { status }),
  })

  it('prefers a client without a secret, and takes what the server made of it', async () => {
    expect(await register(provider, 'https://us.example/back', answering(201, { client_id: 'x' }))).toEqual({
      clientId: 'x',
      authentication: 'none',
    })
    const confidential = { client_id: 'x', client_secret: 's', token_endpoint_auth_method: 'client_secret_basic' }
    expect(await register(provider, 'https://us.example/back', answering(201, confidential))).toEqual({
      clientId: 'x',
      clientSecret: 's',
      authentication: 'basic',
    })
  })

  it.each([
    [400, { error: 'invalid_redirect_uri', error_description: 'Not here' }, 'did not register Heddle: Not here'],
    [201, { client_id: 7 }, 'it responded with 201'],
  ])('that is answered with %s %j says what to do instead', async (status, answer, message) => {
    const registering = register(provider, 'https://us.example/back', answering(status, answer))
    await expect(registering).rejects.toThrow(message)
  })
})
