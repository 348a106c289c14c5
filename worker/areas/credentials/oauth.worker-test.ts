// @defends answer-oauth-2
// @defends token-client-secret
// @defends provider-says-becomes
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { credentials, oauthRequests } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, get, start } from '../../../e2e/support/flows.ts'
import { consentAt, type OAuthProvider, startOAuthProvider } from '../../../e2e/support/oauth-provider.ts'

let heddle: TestHeddle
let provider: OAuthProvider
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  // The provider is told where people are sent back to, and the product which host it may reach.
  const first = await startTestHeddle()
  const port = Number(new URL(first.url).port)
  await first.close()
  provider = await startOAuthProvider(`${first.url}/api/v1/oauth2-credential/callback`)
  heddle = await startTestHeddle({ port, platformType: 'cloud', allowPrivateHosts: provider.host })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await provider.close()
})
beforeEach(() => {
  provider.setLifetime(3600)
  provider.setRefusing(false)
  provider.grants.length = 0
})

const PAST = '2026-01-01T00:00:00.000Z'
const isBack = ({ pathname }: URL) => pathname === '/api/v1/oauth2-credential/callback'

async function addCredential(client: TestClient, more: Record<string, string> = {}): Promise<string> {
  const plainDataObj = { ...provider.fields, ...more }
  const { body } = await call(client, 'POST', '/credentials', {
    name: 'Mine',
    credentialName: 'oAuth2Api',
    plainDataObj,
  })
  return body.id
}

/** Goes to the provider and returns where it sends the person back to. */
async function consent(client: TestClient, id: string): Promise<URL> {
  const { status, body } = await call(client, 'POST', `/oauth2-credential/authorize/${id}`)
  expect(status).toBe(200)
  return consentAt(body.authorizationUrl, isBack)
}

/** As a browser comes back from another site: with the cookies that are sent then. */
async function comeBack(client: TestClient, url: URL) {
  const cookie = [...client.cookies].filter(([name]) => name === 'heddle-oauth').map((pair) => pair.join('='))
  const response = await heddle.fetch(url.pathname + url.search, { headers: { cookie: cookie.join('; ') } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function connected(client = ann, more: Record<string, string> = {}): Promise<string> {
  const id = await addCredential(client, more)
  const { status, text } = await comeBack(client, await consent(client, id))
  expect(text).toContain('is connected')
  expect(status).toBe(200)
  return id
}

const connectionOf = async (client: TestClient, id: string) =>
  (await call(client, 'GET', `/credentials/${id}`)).body.connection
const expire = (id: string) =>
  heddle.database.update(credentials).set({ expiresDate: PAST }).where(eq(credentials.id, id))

/** A flow that asks the provider who the token belongs to. */
async function saveFlow(client: TestClient, credential: string): Promise<string> {
  const request = get(provider.resource)
  request.data.credential = credential
  const flowData = JSON.stringify(chain(start(), request, directReply('{{httpAgentflow_0}}')))
  const { body } = await call(client, 'POST', '/chatflows', { name: 'F', flowData, type: 'AGENTFLOW' })
  return body.id
}

const ask = (client: TestClient, flow: string) => call(client, 'POST', `/prediction/${flow}`, { question: 'Who?' })

describe('connecting', () => {
  it('stores tokens that an HTTP request uses, and shows them nowhere', async () => {
    const id = await addCredential(ann)
    expect(await connectionOf(ann, id)).toBe('none')
    const back = await consent(ann, id)
    const page = await comeBack(ann, back)
    expect(page.text).toContain('OAUTH2_SUCCESS')
    expect(await connectionOf(ann, id)).toBe('connected')

    const asked = await ask(ann, await saveFlow(ann, id))
    expect(asked.body.text).toContain('"sub":"ann"')
    const [row] = await heddle.database.select().from(credentials).where(eq(credentials.id, id))
    expect(Date.parse(row?.expiresDate ?? '') - Date.now()).toBeGreaterThan(3500_000)
    expect(row?.lastUsedDate).not.toBeNull()
    const { body } = await call(ann, 'GET', `/credentials/${id}`)
    expect(Object.keys(body.plainDataObj).sort()).toEqual(Object.keys(provider.fields).sort())
    const log = await call(ann, 'GET', '/executions')
    expect(log.text).not.toContain('Bearer ')
  })

  it('is proven with PKCE, which the provider checks', async () => {
    const id = await addCredential(ann)
    const { body } = await call(ann, 'POST', `/oauth2-credential/authorize/${id}`)
    const asked = new URL(body.authorizationUrl).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(body.redirectUri).toBe(`${heddle.url}/api/v1/oauth2-credential/callback`)
  })

  it('lets no extra parameter replace one of the protocol', async () => {
    const additionalParameters = 'prompt=consent&state=mine&redirect_uri=https%3A%2F%2Fevil.example&code_challenge=x'
    const id = await connected(ann, { additionalParameters })
    expect(await connectionOf(ann, id)).toBe('connected')
  })

  it('refuses to begin for another workspace, for an API key and for a credential of another type', async () => {
    const id = await addCredential(ann)
    const path = `/oauth2-credential/authorize/${id}`
    expect((await call(bob, 'POST', path)).status).toBe(404)
    const { body } = await call(ann, 'POST', '/apikey', { keyName: 'k', permissions: ['credentials:update'] })
    const headers = { authorization: `Bearer ${body[0]?.apiKey ?? body.apiKey}` }
    expect((await heddle.fetch(`/api/v1${path}`, { method: 'POST', headers })).status).toBe(403)
    const plain = { name: 'Key', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'k' } }
    const other = await call(ann, 'POST', '/credentials', plain)
    expect((await call(ann, 'POST', `/oauth2-credential/authorize/${other.body.id}`)).status).toBe(400)
  })
})

describe('coming back', () => {
  /** Refused, with the credential not connected and the provider not asked. */
  async function expectRefused(client: TestClient, url: URL, id: string, message: string | RegExp): Promise<void> {
    provider.grants.length = 0
    const page = await comeBack(client, url)
    expect(page.status).toBe(400)
    expect(page.text).toContain('OAUTH2_ERROR')
    expect(page.text).toMatch(message)
    expect(provider.grants).toEqual([])
    expect(await connectionOf(ann, id)).toBe('none')
  }

  it('is refused with a state that nobody was given', async () => {
    const id = await addCredential(ann)
    const back = await consent(ann, id)
    back.searchParams.set('state', 'A'.repeat(43))
    await expectRefused(ann, back, id, /has expired or was used before/)
    back.searchParams.delete('state')
    await expectRefused(ann, back, id, /has expired or was used before/)
  })

  it('is refused a second time with the same state', async () => {
    const id = await addCredential(ann)
    const back = await consent(ann, id)
    back.searchParams.set('error', 'access_denied')
    await expectRefused(ann, back, id, /The provider refused: access_denied/)
    back.searchParams.delete('error')
    await expectRefused(ann, back, id, /has expired or was used before/)
  })

  it('is refused after ten minutes', async () => {
    const id = await addCredential(ann)
    const back = await consent(ann, id)
    const [row] = await heddle.database.select().from(oauthRequests).where(eq(oauthRequests.ownerId, id))
    const lifetime = Date.parse(row?.expiresDate ?? '') - Date.parse(row?.createdDate ?? '')
    expect(lifetime).toBe(10 * 60 * 1000)
    await heddle.database.update(oauthRequests).set({ expiresDate: PAST }).where(eq(oauthRequests.ownerId, id))
    await expectRefused(ann, back, id, /has expired or was used before/)
  })

  it('is refused in the browser of another user', async () => {
    const id = await addCredential(ann)
    const back = await consent(ann, id)
    await consent(bob, await addCredential(bob))
    await expectRefused(bob, back, id, /was started elsewhere/)
  })

  it('is refused in a browser that never left, and in another session of the same user', async () => {
    const id = await addCredential(ann)
    await expectRefused(heddle.newClient(), await consent(ann, id), id, /was started elsewhere/)
    const again = heddle.newClient()
    const account = { email: 'person1@example.com', password: 'Correct-horse-9-staple' }
    expect((await call(again, 'POST', '/auth/login', account)).status).toBe(200)
    await consent(again, id)
    await expectRefused(again, await consent(ann, id), id, /was started elsewhere/)
  })

  it('is refused from another issuer than the one that was asked', async () => {
    const id = await addCredential(ann)
    const back = await consent(ann, id)
    expect(back.searchParams.get('iss')).toBe(provider.url)
    back.searchParams.set('iss', 'https://evil.example')
    await expectRefused(ann, back, id, /came from another provider/)
    const strict = await addCredential(ann, { issuer: `${provider.url}/realm` })
    await expectRefused(ann, await consent(ann, strict), strict, /came from another provider/)
  })

  it('shows what a provider says as text, on a page that runs its own script only', async () => {
    const id = await addCredential(ann)
    const back = await consent(ann, id)
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', `</main><script>alert(1)</script>"' data-origin="https://evil.example`)
    const page = await comeBack(ann, back)
    expect(page.text).not.toContain('<script>')
    expect(page.text.match(/<script/g)).toHaveLength(1)
    expect(page.text).toContain(`data-origin="${heddle.url}"`)
    expect(page.text).not.toContain('data-origin="https://evil.example')
    const policy = page.headers.get('content-security-policy') ?? ''
    const nonce = /script-src 'nonce-([\w-]+)'/.exec(policy)?.[1]
    expect(page.text).toContain(`<script nonce="${nonce}">`)
    expect(policy).toContain("default-src 'none'")
    expect(page.text).not.toContain("'*'")
  })
})

describe('a token that expires', () => {
  it('is refreshed once for twenty runs at once', async () => {
    const id = await connected()
    const flow = await saveFlow(ann, id)
    await expire(id)
    provider.grants.length = 0
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(ann, flow)))
    for (const { body } of answers) expect(body.text).toContain('"sub":"ann"')
    expect(provider.grants).toEqual(['refresh_token'])
    await expire(id)
    await ask(ann, flow)
    expect(provider.grants).toEqual(['refresh_token', 'refresh_token'])
  })

  it('is refreshed after a holder died', async () => {
    const id = await connected()
    await expire(id)
    await heddle.database.update(credentials).set({ refreshLease: PAST }).where(eq(credentials.id, id))
    const { status, body } = await call(ann, 'POST', `/oauth2-credential/refresh/${id}`)
    expect({ status, body }).toMatchObject({ status: 200, body: { success: true, credentialId: id } })
    expect(body.tokenInfo.has_refresh_token).toBe(true)
    expect(Date.parse(body.tokenInfo.expires_at)).toBeGreaterThan(Date.now())
    expect((await call(bob, 'POST', `/oauth2-credential/refresh/${id}`)).status).toBe(404)
  })

  it('marks the credential when the provider refuses, and tells the run what to do', async () => {
    const id = await connected()
    const flow = await saveFlow(ann, id)
    await expire(id)
    provider.setRefusing(true)
    const failed = await ask(ann, flow)
    expect(failed.text).toContain('can’t be used')
    expect(failed.text).toContain('reconnect it')
    expect(await connectionOf(ann, id)).toBe('refused')
    const { body } = await call(ann, 'GET', '/credentials')
    expect(body.find((each: { id: string }) => each.id === id).connection).toBe('refused')
    provider.grants.length = 0
    await ask(ann, flow)
    expect(provider.grants).toEqual([])

    provider.setRefusing(false)
    await comeBack(ann, await consent(ann, id))
    expect(await connectionOf(ann, id)).toBe('connected')
    expect((await ask(ann, flow)).body.text).toContain('"sub":"ann"')
  })

  it('is never sent to another provider than its own', async () => {
    const id = await connected()
    const path = `/credentials/${id}`
    const moved = { plainDataObj: { accessTokenUrl: 'https://evil.example/token' } }
    expect((await call(ann, 'PUT', path, { plainDataObj: { scope: 'openid' } })).body.connection).toBe('connected')
    expect(await call(ann, 'PUT', path, moved)).toMatchObject({
      status: 400,
      body: { field: 'plainDataObj.clientSecret' },
    })
    expect((await call(ann, 'GET', path)).body.connection).toBe('connected')
    const emptied = { plainDataObj: { ...moved.plainDataObj, clientSecret: '' } }
    expect((await call(ann, 'PUT', path, emptied)).body.connection).toBe('none')
    const { body } = await call(ann, 'GET', path)
    expect(body.plainDataObj).not.toHaveProperty('clientSecret')
  })
})
