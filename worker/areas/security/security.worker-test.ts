// @defends code-recovery-code
// @defends authenticator-secret-read
// @defends unlocked-browser-session
import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  auditEvents,
  authenticators,
  challenges,
  emailTokens,
  rateLimits,
  recoveryCodes,
  sessions,
  users,
} from '#db/schema/index.ts'
import { addressOf, bodyOf, nameOf } from '#worker/http/testing/calls.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { routes } from '../index.ts'

const PASSWORD = 'Correct-horse-9-staple'

let heddle: TestHeddle
let people = 0

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', clientAddressHeader: 'cf-connecting-ip' })
})
// Many people register from one address here.
afterEach(async () => {
  await heddle.database.delete(rateLimits)
})
afterAll(() => heddle.close())

interface Person {
  client: TestClient
  email: string
  id: string
}

async function newPerson(): Promise<Person> {
  people += 1
  const email = `safe${people}@example.com`
  const client = await heddle.signUp({ email })
  const { body } = await call(client, 'GET', '/auth/me')
  return { client, email, id: body.id }
}

const signIn = (client: TestClient, email: string, password = PASSWORD) =>
  call(client, 'POST', '/auth/login', { email, password })

/** A code of the app, by default of now; each step is good once. */
const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Turns the second step on, and forgets that the code of now was used for it. */
async function turnOn({ client, id }: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { body: made } = await call(client, 'POST', '/account/authenticator')
  const first = await call(client, 'POST', '/account/authenticator/confirm', { code: codeOf(made.secret) })
  expect(first.status, first.text).toBe(200)
  await heddle.database.update(authenticators).set({ lastStep: 0 }).where(eq(authenticators.userId, id))
  return { secret: made.secret, recoveryCodes: first.body.recoveryCodes }
}

async function challengeFor({ email }: Person, browser = heddle.newClient()) {
  const { body } = await signIn(browser, email)
  const send = (code: string) => call(browser, 'POST', '/auth/second-step', { challenge: body.challenge, code })
  return { browser, send, challenge: body.challenge as string }
}

const makeOld = (id: string) =>
  heddle.database
    .update(sessions)
    .set({ confirmedDate: new Date(Date.now() - 11 * 60_000).toISOString() })
    .where(eq(sessions.userId, id))

const eventsOf = async (id: string) =>
  (await heddle.database.select().from(auditEvents).where(eq(auditEvents.targetId, id))).map(({ event }) => event)

describe('a second step', () => {
  it('is asked for after the right password, and nothing opens before', async () => {
    const person = await newPerson()
    const { secret } = await turnOn(person)
    const browser = heddle.newClient()
    const { status, body } = await signIn(browser, person.email)
    expect([status, body]).toEqual([200, { mfaRequired: true, challenge: expect.stringMatching(/^[\w-]{43}$/) }])
    expect([...browser.cookies.keys()]).toEqual([])
    expect((await call(browser, 'GET', '/auth/me')).status).toBe(401)
    const signedIn = await call(browser, 'POST', '/auth/second-step', {
      challenge: body.challenge,
      code: codeOf(secret),
    })
    expect(signedIn.body).toMatchObject({ email: person.email })
    expect((await call(browser, 'GET', '/auth/me')).status).toBe(200)
    expect(
      (await call(browser, 'POST', '/auth/second-step', { challenge: body.challenge, code: codeOf(secret, 1) })).status,
    ).toBe(401)
  })

  it('is not asked for after a wrong password', async () => {
    const person = await newPerson()
    await turnOn(person)
    expect((await signIn(heddle.newClient(), person.email, 'wrong')).status).toBe(401)
  })

  it('takes each code once, also when it is sent twice at the same time', async () => {
    const person = await newPerson()
    const { secret } = await turnOn(person)
    const code = codeOf(secret)
    const [one, other] = [await challengeFor(person), await challengeFor(person)]
    const answers = await Promise.all([one, other].map(({ send }) => send(code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const again = await challengeFor(person)
    expect((await again.send(code)).status).toBe(401)
    expect((await again.send(codeOf(secret, -1))).status).toBe(401)
    expect((await again.send(codeOf(secret, 1))).status).toBe(200)
  })

  it('takes each recovery code once, however it is typed', async () => {
    const person = await newPerson()
    const { recoveryCodes: codes } = await turnOn(person)
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    const [first = '', second = ''] = codes
    expect(first).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}-[a-z2-9]{5}$/)
    expect((await (await challengeFor(person)).send(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await (await challengeFor(person)).send(first)).status).toBe(401)
    const parallel = await Promise.all(
      [await challengeFor(person), await challengeFor(person)].map(({ send }) => send(second)),
    )
    expect(parallel.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await call(person.client, 'GET', '/account/security')).body).toMatchObject({ recoveryCodesLeft: 8 })
  })

  it('refuses the recovery codes of somebody else', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    await turnOn(person)
    const { recoveryCodes: codes } = await turnOn(other)
    expect((await (await challengeFor(person)).send(codes[0] ?? '')).status).toBe(401)
  })

  it('ends after five wrong codes, and then takes no right one', async () => {
    const person = await newPerson()
    const { secret } = await turnOn(person)
    const { send } = await challengeFor(person)
    for (let wrong = 1; wrong <= 4; wrong++) {
      expect((await send('000000')).body).toMatchObject({ statusCode: 401, field: 'code' })
    }
    expect((await send('000000')).body).toMatchObject({ statusCode: 401, error: 'sign_in_again' })
    expect((await send(codeOf(secret))).body).toMatchObject({ statusCode: 401, error: 'sign_in_again' })
    expect((await (await challengeFor(person)).send(codeOf(secret))).status).toBe(200)
  })

  it('ends after ten minutes', async () => {
    const person = await newPerson()
    const { secret } = await turnOn(person)
    const { send } = await challengeFor(person)
    await heddle.database
      .update(challenges)
      .set({ expiresDate: new Date(Date.now() - 1000).toISOString() })
      .where(eq(challenges.userId, person.id))
    expect((await send(codeOf(secret))).body).toMatchObject({ statusCode: 401, error: 'sign_in_again' })
    await heddle.scheduled()
    expect(await heddle.database.select().from(challenges).where(eq(challenges.userId, person.id))).toEqual([])
  })

  it('stops others who know the password, but never a browser of the person', async () => {
    const person = await newPerson()
    const { secret } = await turnOn(person)
    const anonymous = heddle.newClient()
    let status = 0
    for (let tried = 0; status !== 429 && tried < 8; tried++) {
      const { send } = await challengeFor(person, anonymous)
      for (let wrong = 0; status !== 429 && wrong < 5; wrong++) ({ status } = await send('000000'))
    }
    expect(status).toBe(429)
    expect((await (await challengeFor(person, anonymous)).send(codeOf(secret))).status).toBe(429)
    await call(person.client, 'POST', '/account/logout')
    expect((await (await challengeFor(person, person.client)).send(codeOf(secret))).status).toBe(200)
  })
})

describe('an authenticator app', () => {
  it('counts from its first code on', async () => {
    const person = await newPerson()
    const { body: made } = await call(person.client, 'POST', '/account/authenticator')
    expect(made.uri).toContain(`secret=${made.secret}`)
    expect((await signIn(heddle.newClient(), person.email)).body).toMatchObject({ email: person.email })
    const wrong = await call(person.client, 'POST', '/account/authenticator/confirm', { code: '000000' })
    expect(wrong).toMatchObject({ status: 400, body: { field: 'code' } })
    expect((await signIn(heddle.newClient(), person.email)).body).toMatchObject({ email: person.email })
    expect(await eventsOf(person.id)).toEqual([])
  })

  it('is not replaced by another one while it is on', async () => {
    const person = await newPerson()
    const { secret } = await turnOn(person)
    expect((await call(person.client, 'POST', '/account/authenticator')).status).toBe(409)
    expect((await (await challengeFor(person)).send(codeOf(secret))).status).toBe(200)
  })

  it('goes with its recovery codes, and is on the record', async () => {
    const person = await newPerson()
    await turnOn(person)
    expect((await call(person.client, 'DELETE', '/account/authenticator')).status).toBe(204)
    expect((await signIn(heddle.newClient(), person.email)).body).toMatchObject({ email: person.email })
    expect(await heddle.database.select().from(recoveryCodes).where(eq(recoveryCodes.userId, person.id))).toEqual([])
    expect(await eventsOf(person.id)).toEqual(['account.add-second-step', 'account.remove-second-step'])
  })

  it('makes new recovery codes, and the old ones stop working', async () => {
    const person = await newPerson()
    const { recoveryCodes: old } = await turnOn(person)
    const { body } = await call(person.client, 'POST', '/account/recovery-codes')
    const { send } = await challengeFor(person)
    expect((await send(old[0] ?? '')).status).toBe(401)
    expect((await send(body.recoveryCodes[0])).status).toBe(200)
  })

  it('leaves no secret and no code in the database', async () => {
    const person = await newPerson()
    const { secret, recoveryCodes: codes } = await turnOn(person)
    const rows = JSON.stringify([
      await heddle.database.select().from(authenticators),
      await heddle.database.select().from(recoveryCodes),
      await heddle.database.select().from(auditEvents),
    ])
    for (const plain of [secret, ...codes]) expect(rows).not.toContain(plain)
  })

  it('opens in nobody else’s row', async () => {
    const [person, thief] = [await newPerson(), await newPerson()]
    const { secret } = await turnOn(thief)
    await turnOn(person)
    const [row] = await heddle.database.select().from(authenticators).where(eq(authenticators.userId, thief.id))
    await heddle.database
      .update(authenticators)
      .set({ secret: row?.secret ?? '' })
      .where(eq(authenticators.userId, person.id))
    expect((await (await challengeFor(person)).send(codeOf(secret, 1))).status).toBe(500)
  })
})

describe('confirming who you are', () => {
  // In cloud nobody is the platform admin, whose settings have the rules of the organization's.
  const SENSITIVE = routes.filter(
    (route) => route.confirmed && !(typeof route.access === 'object' && 'adminOnly' in route.access),
  )

  it('is asked for by what changes how people sign in, and what gives lasting power', () => {
    expect(SENSITIVE.map(nameOf).sort()).toEqual([
      'DELETE /account/authenticator',
      'DELETE /account/passkeys/:id',
      'DELETE /account/sign-in-methods',
      'DELETE /chatflows/:id/webhook-secret',
      'DELETE /scim-tokens/:id',
      'DELETE /sso-domains/:id',
      'DELETE /sso-providers/:id',
      'DELETE /triggers/:id/secret',
      'DELETE /users/:id/second-step',
      'POST /account/authenticator',
      'POST /account/authenticator/confirm',
      'POST /account/email',
      'POST /account/identities/:id/link',
      'POST /account/identities/unlink',
      'POST /account/invitations/:id/resend',
      'POST /account/invite',
      'POST /account/passkeys',
      'POST /account/passkeys/options',
      'POST /account/recovery-codes',
      'POST /apikey',
      'POST /chatflows/:id/conversation-secret',
      'POST /chatflows/:id/webhook-secret',
      'POST /mcp-server/:id',
      'POST /mcp-server/:id/refresh',
      'POST /roles',
      'POST /scim-tokens',
      'POST /sso-domains/:id/prove',
      'POST /sso-providers',
      'POST /triggers/:id/secret',
      'POST /users/:id/enable',
      'POST /workspaces/:id/users',
      'PUT /apikey/:id',
      'PUT /mcp-server/:id',
      'PUT /roles/:id',
      'PUT /scim-groups/:id',
      'PUT /sso-providers/:id',
      'PUT /users/:id/admin',
      'PUT /users/:id/role',
      'PUT /workspaces/:id/users/:userId',
    ])
  })

  it.each(SENSITIVE.map((route) => [nameOf(route), route] as const))(
    'is asked for by %s after ten minutes',
    async (_, route) => {
      const person = await newPerson()
      await makeOld(person.id)
      const path = addressOf(route).slice('/api/v1'.length)
      const send = () => call(person.client, route.method, path, bodyOf(route))
      expect(await send()).toMatchObject({ status: 409, body: { error: 'confirm_identity' } })
      expect((await call(person.client, 'POST', '/auth/confirm', { password: PASSWORD })).status).toBe(204)
      expect((await send()).body?.error).not.toBe('confirm_identity')
    },
  )

  it('is asked for in sessions from before it was kept', async () => {
    const person = await newPerson()
    await heddle.database.update(sessions).set({ confirmedDate: null }).where(eq(sessions.userId, person.id))
    expect((await call(person.client, 'POST', '/account/authenticator')).status).toBe(409)
  })

  it('counts for one session only', async () => {
    const person = await newPerson()
    const other = heddle.newClient()
    await signIn(other, person.email)
    await makeOld(person.id)
    await call(other, 'POST', '/auth/confirm', { password: PASSWORD })
    expect((await call(person.client, 'POST', '/account/authenticator')).status).toBe(409)
  })

  it('takes the password or a code, names what is wrong, and stops guesses', async () => {
    const person = await newPerson()
    const { secret } = await turnOn(person)
    await makeOld(person.id)
    expect((await call(person.client, 'GET', '/auth/confirm')).body).toEqual({
      methods: ['password', 'code'],
      provider: null,
    })
    const wrong = await call(person.client, 'POST', '/auth/confirm', { password: 'wrong' })
    expect(wrong).toMatchObject({ status: 400, body: { field: 'password' } })
    const wrongCode = await call(person.client, 'POST', '/auth/confirm', { code: '000000' })
    expect(wrongCode).toMatchObject({ status: 400, body: { field: 'code' } })
    expect((await call(person.client, 'POST', '/auth/confirm', {})).status).toBe(400)
    const both = { password: PASSWORD, code: codeOf(secret) }
    expect((await call(person.client, 'POST', '/auth/confirm', both)).status).toBe(400)
    expect((await call(person.client, 'DELETE', '/account/authenticator')).status).toBe(409)
    const code = codeOf(secret)
    expect((await call(person.client, 'POST', '/auth/confirm', { code })).status).toBe(204)
    expect((await call(person.client, 'POST', '/auth/confirm', { code })).status).toBe(400)
    expect((await call(person.client, 'DELETE', '/account/authenticator')).status).toBe(204)
    const guesses = Array.from({ length: 11 }, () =>
      call(person.client, 'POST', '/auth/confirm', { password: 'wrong' }),
    )
    expect((await Promise.all(guesses)).some(({ status }) => status === 429)).toBe(true)
  })
})

describe('sessions', () => {
  const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

  it('say where and how they began, and which is this one', async () => {
    const person = await newPerson()
    const other = heddle.newClient()
    const headers = { 'user-agent': AGENT, 'cf-connecting-ip': '203.0.113.9', 'cf-ipcountry': 'CH' }
    await other.fetch('/api/v1/auth/login', {
      method: 'POST',
      headers,
      json: { email: person.email, password: PASSWORD },
    })
    const { body } = await call(person.client, 'GET', '/account/sessions')
    expect(body).toHaveLength(2)
    expect(body).toContainEqual(
      expect.objectContaining({ device: 'Firefox on Linux', address: '203.0.113.9', country: 'CH', current: false }),
    )
    expect(body).toContainEqual(expect.objectContaining({ current: true, method: 'verify' }))
  })

  it('are new with each sign-in, whatever the browser brings along', async () => {
    const person = await newPerson()
    const browser = heddle.newClient()
    const idOf = () => browser.cookies.get('heddle-refresh')?.split('.')[0]
    const ids = new Set<string | undefined>()
    for (let signedIn = 0; signedIn < 3; signedIn++) {
      expect((await signIn(browser, person.email)).status).toBe(200)
      ids.add(idOf())
    }
    expect(ids.size).toBe(3)
    const { body } = await call(browser, 'GET', '/account/sessions')
    expect(body).toHaveLength(4)
    expect(body.filter(({ current }: { current: boolean }) => current)).toMatchObject([{ id: idOf() }])
  })

  it('end one by one or all others at once, never those of somebody else', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const browsers = [heddle.newClient(), heddle.newClient(), heddle.newClient()]
    for (const browser of browsers) await signIn(browser, person.email)
    const { body } = await call(browsers[0] as TestClient, 'GET', '/account/sessions')
    const { id } = body.find(({ current }: { current: boolean }) => current)
    expect((await call(other.client, 'DELETE', `/account/sessions/${id}`)).status).toBe(404)
    expect((await call(person.client, 'DELETE', `/account/sessions/${id}`)).status).toBe(204)
    expect((await call(person.client, 'DELETE', `/account/sessions/${id}`)).status).toBe(404)
    expect((await call(browsers[0] as TestClient, 'GET', '/auth/me')).status).toBe(401)
    expect((await call(person.client, 'DELETE', '/account/sessions')).body).toEqual({ ended: 2 })
    expect((await call(browsers[1] as TestClient, 'POST', '/auth/refreshToken')).status).toBe(401)
    expect((await call(person.client, 'GET', '/account/sessions')).body).toHaveLength(1)
    expect((await call(other.client, 'GET', '/auth/me')).status).toBe(200)
  })

  it('keep when they were last used, at most every five minutes', async () => {
    const person = await newPerson()
    const seen = async () =>
      (await heddle.database.select().from(sessions).where(eq(sessions.userId, person.id)))[0]?.lastSeenDate ?? ''
    const first = await seen()
    await call(person.client, 'GET', '/auth/me')
    expect(await seen()).toBe(first)
    const old = new Date(Date.now() - 6 * 60_000).toISOString()
    await heddle.database.update(sessions).set({ lastSeenDate: old }).where(eq(sessions.userId, person.id))
    await call(person.client, 'GET', '/auth/me')
    await expect.poll(seen).not.toBe(old)
  })
})

describe('a changed password', () => {
  it('ends the other sessions, pending sign-ins and reset links', async () => {
    const person = await newPerson()
    const { secret } = await turnOn(person)
    const thief = await challengeFor(person)
    expect((await thief.send(codeOf(secret))).status).toBe(200)
    const pending = await challengeFor(person)
    const stamp = new Date(Date.now() + 60_000).toISOString()
    const link = { kind: 'reset-password' as const, userId: person.id, address: person.email, subject: '' }
    await heddle.database.insert(emailTokens).values({ hash: 'h', ...link, expiresDate: stamp, createdDate: stamp })
    const change = (currentPassword: string, newPassword = 'Another-horse-9') =>
      call(person.client, 'PUT', '/account/password', { currentPassword, newPassword })
    expect(await change('wrong')).toMatchObject({ status: 400, body: { field: 'currentPassword' } })
    expect(await change(PASSWORD, 'short')).toMatchObject({ status: 400, body: { field: 'newPassword' } })
    expect((await call(thief.browser, 'GET', '/auth/me')).status).toBe(200)
    expect((await change(PASSWORD)).status).toBe(204)
    expect((await call(thief.browser, 'GET', '/auth/me')).status).toBe(401)
    expect((await call(person.client, 'GET', '/auth/me')).status).toBe(200)
    expect((await pending.send(codeOf(secret, 1))).body).toMatchObject({ error: 'sign_in_again' })
    const [token] = await heddle.database.select().from(emailTokens).where(eq(emailTokens.hash, 'h'))
    expect(token?.endedDate).not.toBeNull()
    expect((await signIn(heddle.newClient(), person.email)).status).toBe(401)
    expect((await signIn(heddle.newClient(), person.email, 'Another-horse-9')).status).toBe(200)
    expect(await eventsOf(person.id)).toContain('account.change-password')
  })

  it('is not set by an account that has none', async () => {
    const person = await newPerson()
    await heddle.database.update(users).set({ passwordHash: '' }).where(eq(users.id, person.id))
    const given = { currentPassword: 'x', newPassword: 'Another-horse-9' }
    expect((await call(person.client, 'PUT', '/account/password', given)).status).toBe(400)
    expect((await signIn(heddle.newClient(), person.email, 'x')).status).toBe(401)
  })
})
