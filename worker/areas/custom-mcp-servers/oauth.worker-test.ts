// @defends token-mcp-server
/** MCP servers that give their tools to those only whom an authorization server sends. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BLANK_SECRET } from '#contract/credentials/credentials.ts'
import { mcpServers, oauthRequests } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, node, start } from '../../../e2e/support/flows.ts'
import { consentAt, type OAuthProvider, startOAuthProvider } from '../../../e2e/support/oauth-provider.ts'

let heddle: TestHeddle
let provider: OAuthProvider
/** Another authorization server: its metadata, that is. */
let other: Server
let otherUrl: string
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  // The provider is told where people are sent back to, and the product which host it may reach.
  const first = await startTestHeddle()
  const port = Number(new URL(first.url).port)
  await first.close()
  provider = await startOAuthProvider(`${first.url}${CALLBACK}`)
  other = createServer((_, response) => response.end(JSON.stringify(otherMetadata())))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const allowPrivateHosts = `${provider.host},${new URL(otherUrl).host}`
  heddle = await startTestHeddle({ port, platformType: 'cloud', allowPrivateHosts })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await provider.close()
  other.close()
})
beforeEach(() => {
  provider.setLifetime(3600)
  provider.setRefusing(false)
  provider.setMetadata({})
  provider.grants.length = 0
})

const CALLBACK = '/api/v1/oauth2-mcp/callback'
const otherMetadata = () => ({
  issuer: otherUrl,
  authorization_endpoint: `${otherUrl}/auth`,
  token_endpoint: `${otherUrl}/token`,
  code_challenge_methods_supported: ['S256'],
})
const PAST = '2026-01-01T00:00:00.000Z'
const PATH = '/custom-mcp-servers'
const isBack = ({ pathname }: URL) => pathname === CALLBACK

async function addServer(client = ann, more: object = {}): Promise<string> {
  const server = { name: 'Directory', serverUrl: provider.mcp, authType: 'OAUTH', ...more }
  const { status, body } = await call(client, 'POST', PATH, server)
  expect(status).toBe(200)
  return body.id
}

/** Goes to the authorization server and returns where it sends the person back to. */
async function consent(client: TestClient, id: string, query = ''): Promise<URL> {
  const { status, body } = await call(client, 'POST', `${PATH}/${id}/authorize${query}`)
  expect(status, body.message).toBe(200)
  return consentAt(body.authorizationUrl, isBack)
}

/** As a browser comes back from another site: with the cookies that are sent then. */
async function comeBack(client: TestClient, url: URL) {
  const cookie = [...client.cookies].filter(([name]) => name === 'heddle-oauth').map((pair) => pair.join('='))
  const response = await heddle.fetch(url.pathname + url.search, { headers: { cookie: cookie.join('; ') } })
  return { status: response.status, text: await response.text() }
}

async function connected(client = ann, more: object = {}): Promise<string> {
  const id = await addServer(client, more)
  const { status, text } = await comeBack(client, await consent(client, id))
  expect(text).toContain('is connected')
  expect(status).toBe(200)
  return id
}

const serverOf = async (client: TestClient, id: string) => (await call(client, 'GET', `${PATH}/${id}`)).body
const rowOf = async (id: string) => (await heddle.database.select().from(mcpServers).where(eq(mcpServers.id, id)))[0]
const expire = (id: string) =>
  heddle.database.update(mcpServers).set({ expiresDate: PAST }).where(eq(mcpServers.id, id))

/** A flow that calls the tool of the server. */
async function saveFlow(client: TestClient, mcpServerId: string): Promise<string> {
  const tool = node('toolAgentflow', 0, {
    toolAgentflowSelectedTool: 'customMcpServerTool',
    toolAgentflowSelectedToolConfig: { mcpServerId, mcpActions: ['whoami'] },
  })
  const flow = { name: 'F', flowData: JSON.stringify(chain(start(), tool)), type: 'AGENTFLOW' }
  return (await call(client, 'POST', '/chatflows', flow)).body.id
}

const ask = (client: TestClient, flow: string) => call(client, 'POST', `/prediction/${flow}`, { question: 'Who?' })

describe('connecting', () => {
  it('finds the authorization server, registers, and lists tools that flows call with the token', async () => {
    const id = await addServer()
    expect(await serverOf(ann, id)).toMatchObject({ status: 'PENDING', connection: 'none', authConfig: null })
    const page = await comeBack(ann, await consent(ann, id))
    expect(page.text).toContain('OAUTH2_SUCCESS')
    const server = await serverOf(ann, id)
    expect(server).toMatchObject({ status: 'AUTHORIZED', connection: 'connected', toolCount: 1 })
    expect((await call(ann, 'POST', `${PATH}/${id}/authorize`)).body.authorizationUrl).toBeUndefined()

    const asked = await ask(ann, await saveFlow(ann, id))
    expect(asked.body.text).toBe('ann')
    const row = await rowOf(id)
    expect(Date.parse(row?.expiresDate ?? '') - Date.now()).toBeGreaterThan(3500_000)
    expect(row?.encryptedAuth).not.toContain('access_token')
    const log = await call(ann, 'GET', '/executions')
    expect(log.text).not.toContain('Bearer ')
  })

  it('asks for tokens of this server alone, proven with PKCE', async () => {
    const id = await addServer()
    const { body } = await call(ann, 'POST', `${PATH}/${id}/authorize`)
    const asked = new URL(body.authorizationUrl).searchParams
    expect(asked.get('resource')).toBe(provider.mcp)
    expect(asked.get('scope')).toBe('tools:use offline_access')
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(asked.get('redirect_uri')).toBe(`${heddle.url}${CALLBACK}`)
  })

  it('keeps the client that it registered until the connection is ended', async () => {
    const id = await connected()
    const before = provider.registrations()
    await comeBack(ann, await consent(ann, id, '?reconnect=true'))
    expect(provider.registrations()).toBe(before)
    const revoked = provider.revocations()
    const { body } = await call(ann, 'POST', `${PATH}/${id}/disconnect`)
    expect(body).toMatchObject({ status: 'PENDING', connection: 'none', toolCount: 0 })
    expect(provider.revocations()).toBe(revoked + 1)
    expect((await ask(ann, await saveFlow(ann, id))).text).toContain('is not connected: open Tools and connect it')
    await comeBack(ann, await consent(ann, id))
    expect(provider.registrations()).toBe(before + 1)
    expect(await serverOf(ann, id)).toMatchObject({ status: 'AUTHORIZED', connection: 'connected' })
  })

  it('uses a client that a person typed in, and never shows its secret', async () => {
    const before = provider.registrations()
    const { clientId, clientSecret } = provider.fields
    const id = await connected(ann, { authConfig: { clientId, clientSecret, scope: 'tools:use' } })
    expect(provider.registrations()).toBe(before)
    const shown = await call(ann, 'GET', `${PATH}/${id}`)
    expect(shown.body.authConfig).toEqual({ headers: {}, clientId, clientSecret: BLANK_SECRET, scope: 'tools:use' })
    expect(shown.text).not.toContain(clientSecret)
    const kept = { authConfig: { clientId, clientSecret: BLANK_SECRET, scope: 'tools:use' } }
    expect((await call(ann, 'PUT', `${PATH}/${id}`, kept)).body.connection).toBe('connected')
    const other = { authConfig: { clientId: 'another', clientSecret: BLANK_SECRET, scope: 'tools:use' } }
    expect((await call(ann, 'PUT', `${PATH}/${id}`, other)).body.connection).toBe('none')
  })

  it('refuses to begin for another workspace and for an API key', async () => {
    const id = await addServer()
    const path = `${PATH}/${id}/authorize`
    expect((await call(bob, 'POST', path)).status).toBe(404)
    expect((await call(bob, 'POST', `${PATH}/${id}/disconnect`)).status).toBe(404)
    const { body } = await call(ann, 'POST', '/apikey', { keyName: 'k', permissions: ['tools:update'] })
    const headers = { authorization: `Bearer ${body[0]?.apiKey ?? body.apiKey}` }
    expect((await heddle.fetch(`/api/v1${path}`, { method: 'POST', headers })).status).toBe(403)
  })

  it.each([
    [{ resource: 'https://other.example/mcp' }, 'another address than its own'],
    [{ authorization_servers: ['http://127.0.0.1:9'] }, 'private'],
    [{ authorization_servers: [] }, 'names no authorization server'],
  ])('is refused where the server says %j of itself', async (metadata, reason) => {
    provider.setMetadata(metadata)
    const { status, body } = await call(ann, 'POST', `${PATH}/${await addServer()}/authorize`)
    expect([status, body.message]).toEqual([400, expect.stringContaining(reason)])
  })
})

describe('coming back', () => {
  /** Refused, with the server not connected and the provider not asked. */
  async function expectRefused(client: TestClient, url: URL, id: string, message: RegExp): Promise<void> {
    provider.grants.length = 0
    const page = await comeBack(client, url)
    expect(page.status).toBe(400)
    expect(page.text).toContain('OAUTH2_ERROR')
    expect(page.text).toMatch(message)
    expect(provider.grants).toEqual([])
    expect((await serverOf(ann, id)).connection).toBe('none')
  }

  it('is refused with a state that nobody was given, and a second time', async () => {
    const id = await addServer()
    const back = await consent(ann, id)
    const forged = new URL(back)
    forged.searchParams.set('state', 'A'.repeat(43))
    await expectRefused(ann, forged, id, /has expired or was used before/)
    back.searchParams.set('error', 'access_denied')
    await expectRefused(ann, back, id, /The provider refused: access_denied/)
    back.searchParams.delete('error')
    await expectRefused(ann, back, id, /has expired or was used before/)
  })

  it('is refused after ten minutes', async () => {
    const id = await addServer()
    const back = await consent(ann, id)
    await heddle.database.update(oauthRequests).set({ expiresDate: PAST }).where(eq(oauthRequests.ownerId, id))
    await expectRefused(ann, back, id, /has expired or was used before/)
  })

  it('is refused in the browser of another user, and in one that never left', async () => {
    const id = await addServer()
    const back = await consent(ann, id)
    await consent(bob, await addServer(bob))
    await expectRefused(bob, back, id, /was started elsewhere/)
    await expectRefused(heddle.newClient(), await consent(ann, id), id, /was started elsewhere/)
  })

  it('is refused from another issuer, and from none where the provider promised to say who it is', async () => {
    const id = await addServer()
    const forged = await consent(ann, id)
    forged.searchParams.set('iss', 'https://evil.example')
    await expectRefused(ann, forged, id, /came from another provider/)
    const silent = await consent(ann, id)
    silent.searchParams.delete('iss')
    await expectRefused(ann, silent, id, /came from another provider/)
  })

  it('is refused where credentials come back, and for a server that has moved in the meantime', async () => {
    const id = await addServer()
    const elsewhere = await consent(ann, id)
    elsewhere.pathname = '/api/v1/oauth2-credential/callback'
    await expectRefused(ann, elsewhere, id, /has expired or was used before/)
    const back = await consent(ann, id)
    await call(ann, 'PUT', `${PATH}/${id}`, { serverUrl: `${provider.mcp}/other` })
    await expectRefused(ann, back, id, /was changed in the meantime/)
  })
})

describe('a token', () => {
  it('is refreshed once for twenty runs at once', async () => {
    const id = await connected()
    const flow = await saveFlow(ann, id)
    await expire(id)
    provider.grants.length = 0
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(ann, flow)))
    for (const { body } of answers) expect(body.text).toBe('ann')
    expect(provider.grants).toEqual(['refresh_token'])
  })

  it('marks the server until it is connected again when the provider refuses the token', async () => {
    const id = await connected()
    const flow = await saveFlow(ann, id)
    await expire(id)
    provider.setRefusing(true)
    const failed = await ask(ann, flow)
    expect(failed.text).toContain('The MCP server “Directory” can’t be used')
    expect(failed.text).toContain('open Tools and reconnect it')
    const { body } = await call(ann, 'GET', PATH)
    expect(body.find((each: { id: string }) => each.id === id).connection).toBe('refused')
    provider.setRefusing(false)
    await comeBack(ann, await consent(ann, id))
    expect((await ask(ann, flow)).body.text).toBe('ann')
  })

  it('is dropped when the server moves, so that another address never gets it', async () => {
    const id = await connected()
    expect((await call(ann, 'PUT', `${PATH}/${id}`, { name: 'Renamed' })).body.connection).toBe('connected')
    const moved = await call(ann, 'PUT', `${PATH}/${id}`, { serverUrl: `${provider.mcp}/other` })
    expect(moved.body).toMatchObject({ connection: 'none', status: 'PENDING' })
    expect((await call(ann, 'PUT', `${PATH}/${id}`, { serverUrl: provider.mcp })).body.connection).toBe('none')
    expect((await rowOf(id))?.expiresDate).toBeNull()
  })

  it('is not sent to an address that the row was moved to', async () => {
    const id = await connected()
    const moved = `${provider.mcp}/other`
    await heddle.database.update(mcpServers).set({ serverUrl: moved }).where(eq(mcpServers.id, id))
    expect((await ask(ann, await saveFlow(ann, id))).text).toContain('is not connected')
  })

  it('is never asked from another authorization server than the one that knows the typed secret', async () => {
    const { clientId, clientSecret } = provider.fields
    const authConfig = { clientId, clientSecret }
    const id = await connected(ann, { authConfig })
    await call(ann, 'POST', `${PATH}/${id}/disconnect`)
    provider.setMetadata({ authorization_servers: [otherUrl] })
    const refused = await call(ann, 'POST', `${PATH}/${id}/authorize`)
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('Enter the client’s secret again'),
    ])
    await call(ann, 'PUT', `${PATH}/${id}`, { authConfig: { ...authConfig, clientSecret: 'another' } })
    expect((await call(ann, 'POST', `${PATH}/${id}/authorize`)).body.authorizationUrl).toContain(otherUrl)
  })
})
