// @defends link-email-leads
// @defends account-confirmed-opens
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emails, emailTokens, sessions, users } from '#db/schema/index.ts'
import { APP_URL, startTestHeddle, type TestClient, type TestHeddle } from '../../local/testing/heddle.ts'
import { readEmails, tokenIn } from '../../local/testing/outbox.ts'

const PASSWORD = 'Correct-horse-9-staple'
const NEW_PASSWORD = 'Another-horse-8-staple'
const email = 'ada@example.com'
const ada = { name: 'Ada', email, password: PASSWORD }

let heddle: TestHeddle

async function post(path: string, json: unknown, client: TestClient = heddle.newClient(), headers = {}) {
  const response = await client.fetch(`/api/v1${path}`, { method: 'POST', json, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Waits until that many emails of this subject have gone, and returns the newest one's text. */
function newestText(subject: string, count = 1): Promise<string> {
  return vi.waitFor(
    () => {
      const found = readEmails(heddle.outbox).filter((each) => each.subject === subject)
      expect(found).toHaveLength(count)
      return found.at(-1)?.text as string
    },
    { timeout: 10_000, interval: 10 },
  )
}

const CONFIRM = 'Confirm your email address'
const RESET = 'Choose a new password'
const EXPIRED = {
  status: 400,
  body: { field: 'token', message: expect.stringContaining('expired or was used already') },
}
const login = (password: string) => post('/auth/login', { email, password })

afterEach(() => heddle.close())

describe('registration in cloud', () => {
  beforeEach(async () => {
    heddle = await startTestHeddle({ platformType: 'cloud' })
  })

  it('opens the account with the link of the email, once', async () => {
    const client = heddle.newClient()
    expect((await post('/account/register', ada, client)).body).toEqual({
      message: 'If this address can be used, an email is on its way.',
    })
    expect([...client.cookies.keys()]).toEqual(['heddle-registration'])
    expect(await login(PASSWORD)).toMatchObject({ status: 401, body: { error: 'unverified' } })
    expect(await login('wrong')).toMatchObject({ status: 401, body: { message: 'Email or password is wrong' } })
    const token = tokenIn(await newestText(CONFIRM))
    const verified = await post('/account/verify', { token }, client)
    expect(verified).toMatchObject({ status: 200, body: { user: { email, isOrganizationAdmin: true } } })
    expect((await client.fetch('/api/v1/auth/me')).status).toBe(200)
    expect(await post('/account/verify', { token })).toMatchObject(EXPIRED)
    expect(await login(PASSWORD)).toMatchObject({ status: 200 })
    const [user] = await heddle.database.select().from(users)
    expect(user).toMatchObject({ status: 'active', emailVerifiedDate: expect.any(String) })
  })

  it('writes to the owner when somebody registers with the address of an account', async () => {
    await heddle.signUp(ada)
    await post('/account/register', { ...ada, password: NEW_PASSWORD })
    expect(await newestText('You already have an account')).toContain(`${APP_URL}/signin`)
    expect(await login(PASSWORD)).toMatchObject({ status: 200 })
    expect(await login(NEW_PASSWORD)).toMatchObject({ status: 401 })
  })

  const CHOOSE = { status: 400, body: { field: 'password' } }

  it.each(['first', 'last'])(
    'never opens an account with the password of an anonymous caller who registers %s',
    async (when) => {
      const [own, other] = [heddle.newClient(), heddle.newClient()]
      const theirs = { ...ada, name: 'Eve', password: 'Somebody-chose-it-1' }
      const registrations = [() => post('/account/register', ada, own), () => post('/account/register', theirs, other)]
      if (when === 'first') registrations.reverse()
      await registrations[0]?.()
      const first = tokenIn(await newestText(CONFIRM))
      await registrations[1]?.()
      const second = tokenIn(await newestText(CONFIRM, 2))
      expect(await post('/account/verify', { token: first }, own)).toMatchObject(EXPIRED)
      const verified = await post('/account/verify', { token: second }, own)
      if (when === 'last') {
        expect(verified).toMatchObject(CHOOSE)
        expect(own.cookies.has('heddle-access')).toBe(false)
        expect(await login(theirs.password)).toMatchObject({ status: 401, body: { error: 'unverified' } })
        const chosen = await post('/account/verify', { token: second, name: 'Ada', password: PASSWORD }, own)
        expect(chosen).toMatchObject({ status: 200, body: { user: { email } } })
      } else expect(verified).toMatchObject({ status: 200, body: { user: { email } } })
      expect(await login(theirs.password)).toMatchObject({
        status: 401,
        body: { message: 'Email or password is wrong' },
      })
      expect(await login(PASSWORD)).toMatchObject({ status: 200 })
    },
  )

  it('asks who confirms in another browser for a name and a password, whoever registered', async () => {
    await post('/account/register', { ...ada, name: 'Somebody else', password: 'Somebody-chose-it-1' })
    const token = tokenIn(await newestText(CONFIRM))
    const other = await heddle.signUp()
    for (const client of [heddle.newClient(), other]) {
      expect(await post('/account/verify', { token }, client)).toMatchObject(CHOOSE)
    }
    expect(await post('/account/verify', { token, password: 'short' })).toMatchObject(CHOOSE)
    expect(await post('/account/verify', { token, password: PASSWORD })).toMatchObject({
      status: 400,
      body: { field: 'name' },
    })
    expect(await post('/account/verify', { token, name: 'Ada', password: PASSWORD })).toMatchObject({
      status: 200,
      body: { user: { name: 'Ada' } },
    })
    expect(await login('Somebody-chose-it-1')).toMatchObject({ status: 401 })
    expect(await login(PASSWORD)).toMatchObject({ status: 200 })
  })

  it('sends another email on demand, which voids the first', async () => {
    const client = heddle.newClient()
    await post('/account/register', ada, client)
    const first = tokenIn(await newestText(CONFIRM))
    await post('/account/resend-verification', { email })
    const second = tokenIn(await newestText(CONFIRM, 2))
    expect(await post('/account/verify', { token: first }, client)).toMatchObject(EXPIRED)
    expect(await post('/account/verify', { token: second }, client)).toMatchObject({ status: 200 })
  })

  it('never takes the host of a link from a request', async () => {
    const poison = {
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      referer: 'https://evil.example',
    }
    await post('/account/register', ada, heddle.newClient(), poison)
    const text = await newestText(CONFIRM)
    expect(text).toContain(`${APP_URL}/verify#token=`)
    expect(text).not.toContain('evil.example')
    expect(text).not.toContain(heddle.url)
  })

  it('sends one address five emails an hour, known or not', async () => {
    for (const path of ['/account/forgot-password', '/account/resend-verification']) {
      const address = `${path.slice(9, 12)}@example.com`
      for (let sent = 0; sent < 5; sent++) expect((await post(path, { email: address })).status).toBe(200)
      expect((await post(path, { email: address })).status).toBe(429)
    }
    for (let sent = 0; sent < 5; sent++) expect((await post('/account/register', ada)).status).toBe(200)
    expect((await post('/account/register', ada)).status).toBe(429)
  })

  it('sends a person who is known in this browser an email though somebody else used up theirs', async () => {
    const client = await heddle.signUp(ada)
    for (let sent = 0; sent < 6; sent++) await post('/account/forgot-password', { email })
    expect((await post('/account/forgot-password', { email })).status).toBe(429)
    expect((await post('/account/forgot-password', { email }, client)).status).toBe(200)
  })
})

describe.each(['open source', 'cloud'])('a forgotten password in %s', (platformType) => {
  beforeEach(async () => {
    heddle = await startTestHeddle({ platformType })
  })

  it('is replaced with the link of the email, once, and every session ends', async () => {
    const client = await heddle.signUp(ada)
    await post('/account/forgot-password', { email })
    const token = tokenIn(await newestText(RESET))
    const other = heddle.newClient()
    const reset = await post('/account/reset-password', { token, password: NEW_PASSWORD }, other)
    expect(reset).toMatchObject({ status: 200 })
    expect(other.cookies.size).toBe(0)
    expect((await client.fetch('/api/v1/auth/me')).status).toBe(401)
    expect((await heddle.database.select().from(sessions)).every(({ revokedDate }) => revokedDate)).toBe(true)
    expect(await login(PASSWORD)).toMatchObject({ status: 401 })
    expect(await login(NEW_PASSWORD)).toMatchObject({ status: 200 })
    expect(await post('/account/reset-password', { token, password: PASSWORD })).toMatchObject(EXPIRED)
    expect(await login(NEW_PASSWORD)).toMatchObject({ status: 200 })
  })

  it('is replaced by one of two that use the link at once', async () => {
    await heddle.signUp(ada)
    await post('/account/forgot-password', { email })
    const token = tokenIn(await newestText(RESET))
    const reset = () => post('/account/reset-password', { token, password: NEW_PASSWORD })
    expect((await Promise.all([reset(), reset()])).map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('stays as it is with an old, an expired, another or no token', async () => {
    await heddle.signUp(ada)
    await post('/account/forgot-password', { email })
    const old = tokenIn(await newestText(RESET))
    await post('/account/forgot-password', { email })
    const newest = tokenIn(await newestText(RESET, 2))
    const reset = (token: unknown) => post('/account/reset-password', { token, password: NEW_PASSWORD })
    expect(await reset(old)).toMatchObject(EXPIRED)
    expect(await post('/account/verify', { token: newest })).toMatchObject(EXPIRED)
    for (const token of [null, '', undefined, 7, [newest], 'x'.repeat(101)]) {
      expect(await reset(token)).toMatchObject({ status: 400, body: { field: 'token' } })
    }
    expect(await post('/account/reset-password', { token: newest, password: 'short' })).toMatchObject({
      status: 400,
      body: { field: 'password' },
    })
    await heddle.database.update(emailTokens).set({ expiresDate: new Date(Date.now() - 1).toISOString() })
    expect(await reset(newest)).toMatchObject(EXPIRED)
    expect(await login(PASSWORD)).toMatchObject({ status: 200 })
  })

  it('is not replaced by a link to an address that the account no longer has', async () => {
    await heddle.signUp(ada)
    await post('/account/forgot-password', { email })
    const token = tokenIn(await newestText(RESET))
    await heddle.database.update(users).set({ email: 'new@example.com' })
    expect(await post('/account/reset-password', { token, password: NEW_PASSWORD })).toMatchObject(EXPIRED)
    const [user] = await heddle.database.select().from(users)
    expect(user).toMatchObject({ email: 'new@example.com' })
    expect((await post('/auth/login', { email: 'new@example.com', password: PASSWORD })).status).toBe(200)
  })

  it('leaves no token in the database', async () => {
    await heddle.signUp(ada)
    await post('/account/forgot-password', { email })
    const token = tokenIn(await newestText(RESET))
    const rows = [await heddle.database.select().from(emails), await heddle.database.select().from(emailTokens)]
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

it('confirms the address of the first account without a sign-in', async () => {
  heddle = await startTestHeddle({ platformAdminEmail: 'Ada@example.com' })
  const client = await heddle.signUp(ada)
  const isAdmin = async () =>
    ((await (await client.fetch('/api/v1/auth/me')).json()) as { isPlatformAdmin: boolean }).isPlatformAdmin
  expect(await isAdmin()).toBe(false)
  await post('/account/resend-verification', { email })
  const other = heddle.newClient()
  const verified = await post('/account/verify', { token: tokenIn(await newestText(CONFIRM)) }, other)
  expect(verified).toMatchObject({ status: 200, body: { user: null } })
  expect(other.cookies.size).toBe(0)
  expect(await isAdmin()).toBe(true)
})
