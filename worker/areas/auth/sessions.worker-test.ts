// @defends default-account-flag
// @defends session-outlives-logout
// @defends anonymous-lock-person
import { eq } from 'drizzle-orm'
import { generateSignedCookie } from 'hono/cookie'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessions, users, workspaceMembers } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { derivedKey } from '../../http/session/secrets.ts'
import { ACCESS_SECONDS, signAccessToken } from '../../http/session/tokens.ts'
import { joinWorkspace } from '../../http/testing/people.ts'

const SESSION_KEY = 'test-session-key-of-thirty-two-bytes-base64'
const PASSWORD = 'Correct-horse-9-staple'

let heddle: TestHeddle

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', bindings: { SESSION_KEY } })
})
afterAll(() => heddle.close())

const me = (client: TestClient) => client.fetch('/api/v1/auth/me')
const refresh = (client: TestClient) => client.fetch('/api/v1/auth/refreshToken', { method: 'POST' })
const logout = (client: TestClient) => client.fetch('/api/v1/account/logout', { method: 'POST' })

/** A second holder of the same cookies: another tab, or a thief. */
function copyOf(client: TestClient): TestClient {
  const copy = heddle.newClient()
  for (const [name, value] of client.cookies) copy.cookies.set(name, value)
  return copy
}

const sessionIdOf = (client: TestClient) => client.cookies.get('heddle-refresh')?.split('.')[0] as string

async function setAccessToken(client: TestClient, token: string): Promise<void> {
  const cookie = await generateSignedCookie('heddle-access', token, derivedKey(SESSION_KEY, 'cookie'))
  client.cookies.set('heddle-access', cookie.slice(cookie.indexOf('=') + 1).split(';')[0] as string)
}

describe('signing in', () => {
  it('returns the user and opens a session', async () => {
    const email = 'ada@example.com'
    await heddle.signUp({ name: 'Ada', email })
    const client = heddle.newClient()
    const response = await client.fetch('/api/v1/auth/login', {
      method: 'POST',
      json: { email: ' Ada@Example.com', password: PASSWORD },
    })
    expect(response.status).toBe(200)
    const user = await response.json()
    expect(user).toMatchObject({ email, name: 'Ada', status: 'active', isOrganizationAdmin: true, isSSO: false })
    expect(user).not.toHaveProperty('passwordHash')
    expect(await (await me(client)).json()).toEqual(user)
  })

  it('answers an unknown address like a wrong password', async () => {
    await heddle.signUp({ email: 'bo@example.com' })
    const answers = await Promise.all(
      ['bo@example.com', 'nobody@example.com'].map(async (email) => {
        const response = await heddle
          .newClient()
          .fetch('/api/v1/auth/login', { method: 'POST', json: { email, password: 'wrong password' } })
        const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>
        return { status: response.status, body, cookies: response.headers.getSetCookie() }
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ status: 401, cookies: [], body: { message: 'Email or password is wrong' } })
  })

  it('has no default accounts', async () => {
    const tries = [
      ['admin@example.com', 'admin'],
      ['langflow@example.com', 'langflow'],
      ['root@localhost.localdomain', 'password'],
    ]
    for (const [email, password] of tries) {
      const response = await heddle
        .newClient()
        .fetch('/api/v1/auth/login', { method: 'POST', json: { email, password } })
      expect(response.status).toBe(401)
    }
    expect((await heddle.fetch('/api/v1/auth/me')).status).toBe(401)
  })

  it('limits guesses for one address and says when to retry', async () => {
    const guess = () =>
      heddle.newClient().fetch('/api/v1/auth/login', {
        method: 'POST',
        json: { email: 'guessed@example.com', password: 'guess' },
      })
    const responses = await Promise.all(Array.from({ length: 11 }, guess))
    expect(responses.map((response) => response.status).sort()).toEqual([...Array(10).fill(401), 429])
    const refused = responses.find((response) => response.status === 429) as Response
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ statusCode: 429, success: false })
  })

  it('does not count correct passwords as guesses', async () => {
    const email = 'often@example.com'
    await heddle.signUp({ email })
    for (let i = 0; i < 12; i++) {
      const again = { method: 'POST', json: { email, password: PASSWORD } }
      expect((await heddle.newClient().fetch('/api/v1/auth/login', again)).status).toBe(200)
    }
  })

  it('lets a user sign in from a known browser while others guess', async () => {
    const email = 'wanted@example.com'
    const own = await heddle.signUp({ email })
    await logout(own)
    const login = (client: TestClient, password: string) =>
      client.fetch('/api/v1/auth/login', { method: 'POST', json: { email, password } })
    await Promise.all(Array.from({ length: 10 }, () => login(heddle.newClient(), 'guess')))
    expect((await login(heddle.newClient(), PASSWORD)).status).toBe(429)
    const others = await heddle.signUp()
    expect((await login(others, PASSWORD)).status).toBe(429)
    expect((await login(own, PASSWORD)).status).toBe(200)

    const guesses = await Promise.all(Array.from({ length: 11 }, () => login(copyOf(own), 'guess')))
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429])
  })
})

describe('cookies', () => {
  const login = async (email: string, headers: Record<string, string>) => {
    await heddle.signUp({ email })
    return heddle.fetch('/api/v1/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
  }

  it('signs cookies, hides them from scripts and keeps them on the site', async () => {
    const response = await login('cy1@example.com', { origin: heddle.url })
    const [access, refreshCookie, xsrf] = response.headers.getSetCookie()
    for (const cookie of [access, refreshCookie, response.headers.getSetCookie()[3]]) {
      expect(cookie).toMatch(/^heddle-(access|refresh|browser)=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/)
    }
    expect(xsrf).toMatch(/^XSRF-TOKEN=[^;]+; Max-Age=\d+; Path=\/; SameSite=Strict$/)
  })

  it('binds cookies to the host over https', async () => {
    const origin = heddle.url.replace('http:', 'https:')
    const response = await login('cy2@example.com', { origin, 'x-forwarded-proto': 'https' })
    const [access, refreshCookie, xsrf] = response.headers.getSetCookie()
    expect(access).toMatch(/^__Host-heddle-access=.*Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    expect(refreshCookie).toMatch(/^__Host-heddle-refresh=.*Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    expect(xsrf).toMatch(/^XSRF-TOKEN=.*Secure/)
    expect(`${access}${refreshCookie}`).not.toContain('Domain')
  })

  it('clears cookies with the attributes they were set with', async () => {
    const client = await heddle.signUp()
    const set = (await refresh(client)).headers.getSetCookie()
    const cleared = (await logout(client)).headers.getSetCookie()
    const attributes = (cookie: string) => cookie.replace(/=[^;]*;/, '=;').replace(/Max-Age=\d+; /, '')
    expect(cleared.map(attributes).sort()).toEqual(set.map(attributes).sort())
    expect(cleared.every((cookie) => /Max-Age=0/.test(cookie))).toBe(true)
    expect([...client.cookies.keys()]).toEqual(['heddle-registration', 'heddle-browser'])
  })

  it('refuses a cookie with a changed value', async () => {
    const client = await heddle.signUp()
    const other = await heddle.signUp()
    const [token] = (other.cookies.get('heddle-access') as string).split(/\.(?=[^.]*$)/)
    const [, signature] = (client.cookies.get('heddle-access') as string).split(/\.(?=[^.]*$)/)
    client.cookies.set('heddle-access', `${token}.${signature}`)
    const response = await me(client)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ message: 'Invalid or Missing token' })
  })
})

describe('access tokens', () => {
  it('asks for a refresh when the access token has expired', async () => {
    const client = await heddle.signUp()
    const longAgo = new Date(Date.now() - (ACCESS_SECONDS + 60) * 1000)
    await setAccessToken(client, await signAccessToken(SESSION_KEY, sessionIdOf(client), longAgo))
    const response = await me(client)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ message: 'Token Expired', retry: true })
    expect((await refresh(client)).status).toBe(200)
    expect((await me(client)).status).toBe(200)
  })

  it('refuses tokens that are unsigned or signed with another key', async () => {
    const client = await heddle.signUp()
    const forged = await signAccessToken('another key', sessionIdOf(client), new Date())
    const [, payload] = forged.split('.')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    for (const token of [forged, unsigned, 'nonsense']) {
      await setAccessToken(client, token)
      const response = await me(client)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ message: 'Invalid or Missing token' })
    }
  })

  it('stops accepting an access token when its session ends', async () => {
    const client = await heddle.signUp()
    const thief = copyOf(client)
    const response = await logout(client)
    expect(await response.json()).toEqual({ message: 'logged_out', redirectTo: '/signin' })
    const refused = await me(thief)
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ error: 'unauthorized', redirectTo: '/signin' })
    expect((await refresh(thief)).status).toBe(401)
  })
})

describe('access of a user', () => {
  const refused = { error: 'unauthorized', redirectTo: '/unauthorized' }

  it('refuses a user who was removed from the workspace', async () => {
    const [owner, member] = [await heddle.signUp(), await heddle.signUp()]
    const { roleId } = await joinWorkspace(heddle, member, owner)
    expect((await me(member)).status).toBe(200)
    await heddle.database.delete(workspaceMembers).where(eq(workspaceMembers.roleId, roleId))
    for (const answer of [await me(member), await refresh(member)]) {
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject(refused)
    }
  })

  it('refuses a user whose account is disabled', async () => {
    const client = await heddle.signUp({ email: 'off@example.com' })
    await heddle.database.update(users).set({ status: 'disabled' }).where(eq(users.email, 'off@example.com'))
    const answer = await me(client)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject(refused)
  })
})

describe('refreshing', () => {
  const refreshHash = async (client: TestClient) => {
    const [row] = await heddle.database
      .select()
      .from(sessions)
      .where(eq(sessions.id, sessionIdOf(client)))
    return row?.refreshHash
  }

  it('returns the user and a new token every time', async () => {
    const client = await heddle.signUp()
    const seen = new Set([client.cookies.get('heddle-refresh')])
    for (let round = 0; round < 3; round++) {
      const response = await refresh(client)
      expect(await response.json()).toMatchObject({ id: expect.any(String), isOrganizationAdmin: true })
      seen.add(client.cookies.get('heddle-refresh'))
    }
    expect(seen.size).toBe(4)
  })

  it('keeps all tabs signed in when they refresh at the same time', async () => {
    const tabs = [await heddle.signUp()]
    for (let tab = 1; tab < 5; tab++) tabs.push(copyOf(tabs[0] as TestClient))
    const responses = await Promise.all(tabs.map(refresh))
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(tabs.map((tab) => tab.cookies.get('heddle-refresh'))).size).toBe(1)
    for (const tab of tabs) expect((await me(tab)).status).toBe(200)
    expect((await refresh(tabs[4] as TestClient)).status).toBe(200)
  })

  it('ends the session when a used token is reused', async () => {
    const client = await heddle.signUp()
    const thief = copyOf(client)
    await refresh(client)
    const aMinuteAgo = new Date(Date.now() - 60_000).toISOString()
    await heddle.database
      .update(sessions)
      .set({ rotatedDate: aMinuteAgo })
      .where(eq(sessions.id, sessionIdOf(client)))
    expect((await me(client)).status).toBe(200)

    const reuse = await refresh(thief)
    expect(reuse.status).toBe(401)
    expect(await reuse.json()).toMatchObject({ error: 'unauthorized', redirectTo: '/signin' })
    expect([...thief.cookies.keys()]).toEqual(['heddle-registration', 'heddle-browser'])
    expect((await me(client)).status).toBe(401)
    expect((await refresh(client)).status).toBe(401)
  })

  it('ends the session for a token two generations old, even within the grace period', async () => {
    const client = await heddle.signUp()
    const thief = copyOf(client)
    await refresh(client)
    await refresh(client)
    expect((await refresh(thief)).status).toBe(401)
    expect((await me(client)).status).toBe(401)
  })

  it('refuses to refresh an expired session', async () => {
    const client = await heddle.signUp()
    const before = await refreshHash(client)
    await heddle.database
      .update(sessions)
      .set({ expiresDate: new Date(Date.now() - 1000).toISOString() })
      .where(eq(sessions.id, sessionIdOf(client)))
    const kept = sessionIdOf(client)
    expect((await refresh(copyOf(client))).status).toBe(401)
    expect(await refreshHash(client)).toBe(before)
    await heddle.scheduled()
    expect(await heddle.database.select().from(sessions).where(eq(sessions.id, kept))).toEqual([])
  })

  it('refuses to refresh without a token', async () => {
    const response = await refresh(heddle.newClient())
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ message: 'Invalid or Missing token' })
  })
})

it('stores no password and no refresh token', async () => {
  const client = await heddle.signUp({ email: 'stored@example.com' })
  const token = decodeURIComponent(client.cookies.get('heddle-refresh') as string)
  const rows =
    JSON.stringify(await heddle.database.query.users.findMany()) +
    JSON.stringify(await heddle.database.select().from(sessions))
  expect(rows).not.toContain(PASSWORD)
  expect(rows).not.toContain(token.split('.')[1])
})
