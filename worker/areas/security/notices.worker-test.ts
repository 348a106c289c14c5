// @defends silent-way-in
import { asc, eq, inArray } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { authenticators, emails, rateLimits, sessions } from '#db/schema/index.ts'
import { nameOf } from '#worker/http/testing/calls.ts'
import { joinWorkspace } from '#worker/http/testing/people.ts'
import { call } from '#worker/local/testing/client.ts'
import { APP_URL, type TestClient } from '#worker/local/testing/heddle.ts'
import { readEmails, tokenIn } from '#worker/local/testing/outbox.ts'
import { consentAt } from '../../../e2e/support/oauth-provider.ts'
import { answerWith, makePasskey, type SoftPasskey } from '../auth/passkeys/testing/authenticator.ts'
import { routes } from '../index.ts'
import { comeBack, openProvider, ownDomain, type Scene, signIn as signInAt, startScene } from '../sso/testing/scene.ts'

const PASSWORD = 'Correct-horse-9-staple'
const SITE = { rpId: new URL(APP_URL).hostname, origin: APP_URL }
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

let scene: Scene
let providerId: string
let people = 0

beforeAll(async () => {
  scene = await startScene({
    platformType: 'cloud',
    bindings: { PLATFORM_ADMIN_EMAIL: 'person1@example.com', CLIENT_ADDRESS_HEADER: 'CF-Connecting-IP' },
  })
  const { id } = await openProvider(scene, { path: '/platform/sso-providers', name: 'Example Inc.' })
  providerId = id
})
afterAll(() => scene.close())
beforeEach(() => scene.heddle.database.delete(rateLimits))

const ADDRESS = '203.0.113.7'

const browserOf = (client: TestClient, agent: string, address = ADDRESS): TestClient => ({
  cookies: client.cookies,
  fetch: (path, init) => client.fetch(path, { ...init, headers: { 'user-agent': agent, 'cf-connecting-ip': address } }),
})
const newBrowser = (agent = FIREFOX) => browserOf(scene.heddle.newClient(), agent)

interface Person {
  client: TestClient
  email: string
  id: string
}

async function newPerson(domain = 'example.net'): Promise<Person> {
  people += 1
  const email = `told${people}@${domain}`
  const client = browserOf(await scene.heddle.signUp({ email }), FIREFOX)
  const { body } = await call(client, 'GET', '/auth/me')
  const device = { device: 'Firefox on Linux', address: ADDRESS }
  await scene.heddle.database.update(sessions).set(device).where(eq(sessions.userId, body.id))
  return { client, email, id: body.id }
}

async function succeed(client: TestClient, method: string, path: string, json?: unknown) {
  const { status, text, body } = await call(client, method, path, json)
  expect(status, text).toBeLessThan(300)
  return body
}

const noticesOf = async ({ id }: Person) => {
  const rows = await scene.heddle.database
    .select()
    .from(emails)
    .where(eq(emails.userId, id))
    .orderBy(asc(emails.createdDate))
  return rows.filter(({ kind }) => ['sign-in-changed', 'new-device', 'email-changed'].includes(kind))
}

const textTo = (address: string, subject: string) =>
  vi.waitFor(
    () => {
      const found = readEmails(scene.heddle.outbox).filter((email) => email.to === address && email.subject === subject)
      expect(found).toHaveLength(1)
      return found[0]?.text ?? ''
    },
    { timeout: 10_000, interval: 10 },
  )

async function addPasskey({ client }: Person): Promise<SoftPasskey> {
  const { challenge } = await succeed(client, 'POST', '/account/passkeys/options')
  const { passkey, answer } = makePasskey(SITE, challenge)
  await succeed(client, 'POST', '/account/passkeys', { name: 'My laptop', passkey: answer })
  return passkey
}

async function addAuthenticator({ client, id }: Person): Promise<string> {
  const { secret } = await succeed(client, 'POST', '/account/authenticator')
  await succeed(client, 'POST', '/account/authenticator/confirm', { code: new TOTP({ secret }).generate() })
  await scene.heddle.database.update(authenticators).set({ lastStep: 0 }).where(eq(authenticators.userId, id))
  return secret
}

async function link({ client, email }: Person): Promise<string> {
  const subject = email.split('@')[0] as string
  scene.idp.person = { sub: subject, email: `${subject}@idp.example`, email_verified: true, name: subject }
  const { url } = await succeed(client, 'POST', `/account/identities/${providerId}/link`, {})
  const back = await consentAt(url, (address) => address.pathname.endsWith('/callback'))
  expect(await comeBack(client, back)).toBe('/account?tab=identities&linked=ok')
  return subject
}

interface Told {
  subject: string
  /** Said in the text. */
  names?: string
  before?(person: Person): Promise<unknown>
  change(person: Person, before: unknown): Promise<unknown>
}

/** What each route that changes how somebody signs in tells them. */
const TOLD: Record<string, Told> = {
  'POST /account/passkeys': { subject: 'A passkey was added to your account', names: 'My laptop', change: addPasskey },
  'DELETE /account/passkeys/:id': {
    subject: 'A passkey was removed from your account',
    names: 'My laptop',
    before: addPasskey,
    change: ({ client }, passkey) => succeed(client, 'DELETE', `/account/passkeys/${(passkey as SoftPasskey).id}`),
  },
  'POST /account/authenticator/confirm': { subject: 'Two-step sign-in was turned on', change: addAuthenticator },
  'DELETE /account/authenticator': {
    subject: 'Two-step sign-in was turned off',
    before: addAuthenticator,
    change: ({ client }) => succeed(client, 'DELETE', '/account/authenticator'),
  },
  'POST /account/recovery-codes': {
    subject: 'New recovery codes were made',
    before: addAuthenticator,
    change: ({ client }) => succeed(client, 'POST', '/account/recovery-codes'),
  },
  'PUT /account/password': {
    subject: 'Your password was changed',
    change: ({ client }) =>
      succeed(client, 'PUT', '/account/password', { currentPassword: PASSWORD, newPassword: 'Another-horse-8-staple' }),
  },
  'DELETE /account/sign-in-methods': {
    subject: 'All other ways to sign in were removed',
    before: addPasskey,
    change: ({ client }) => succeed(client, 'DELETE', '/account/sign-in-methods'),
  },
  'POST /account/reset-password': {
    subject: 'Your password was reset',
    before: async ({ email }) => {
      await succeed(newBrowser(), 'POST', '/account/forgot-password', { email })
      return tokenIn(await textTo(email, 'Choose a new password'))
    },
    change: (_, token) =>
      succeed(newBrowser(), 'POST', '/account/reset-password', { token, password: 'Another-horse-8-staple' }),
  },
  'POST /account/email/confirm': {
    subject: 'Your email address was changed',
    names: 'moved-',
    before: async ({ client, email }) => {
      await succeed(client, 'POST', '/account/email', { email: `moved-${email}` })
      return tokenIn(await textTo(`moved-${email}`, 'Confirm your new email address'))
    },
    change: ({ client }, token) => succeed(client, 'POST', '/account/email/confirm', { token }),
  },
  'POST /account/identities/:id/link': {
    subject: 'A sign-in provider was linked with your account',
    names: 'Example Inc',
    change: link,
  },
  'POST /account/identities/unlink': {
    subject: 'A sign-in provider was unlinked from your account',
    before: link,
    change: ({ client }, subject) =>
      succeed(client, 'POST', '/account/identities/unlink', { issuer: scene.idp.url, subject }),
  },
}

/** Routes below the account that change no way to sign in, or tell of it elsewhere, and why. */
const SILENT: Record<string, string> = {
  'POST /account/register': 'It makes the account',
  'POST /account/basic-auth': 'It is about the server',
  'POST /account/logout': 'It opens nothing',
  'PUT /account/profile': 'A name opens nothing',
  'POST /account/verify': 'It opens an account that was never open',
  'POST /account/resend-verification': 'It is an email',
  'POST /account/forgot-password': 'It is an email',
  'POST /account/email': 'Nothing changes until the new address is confirmed',
  'POST /account/email/undo': 'The test below has two addresses',
  'POST /account/passkeys/options': 'Nothing changes until the browser has made one',
  'PATCH /account/passkeys/:id': 'A name opens nothing',
  'POST /account/authenticator': 'Nothing changes until the first code',
  'POST /account/invite': 'It is about an organization',
  'POST /account/invitation': 'It is about an organization',
  'POST /account/invitation/accept': 'It is about an organization',
  'POST /account/invitations/:id/resend': 'It is about an organization',
  'DELETE /account/invitations/:id': 'It is about an organization',
  'POST /account/leave': 'It is about an organization',
  'DELETE /account/sessions': 'It ends what was open',
  'DELETE /account/sessions/:id': 'It ends what was open',
}

describe.each(Object.entries(TOLD))('%s', (_, { subject, names, before, change }) => {
  it('tells the person what changed, when, from where, and what to do', async () => {
    const person = await newPerson()
    const given = await before?.(person)
    const earlier = (await noticesOf(person)).length
    await change(person, given)
    const [told, ...more] = (await noticesOf(person)).slice(earlier)
    expect(told).toMatchObject({ address: person.email, data: { from: 'Firefox on Linux, 203.0.113.7' } })
    expect(more).toEqual([])
    const text = await textTo(person.email, subject)
    expect(text).toMatch(/^When: \d{1,2} \w+ \d{4} at \d\d:\d\d UTC$/m)
    expect(text).toContain('From: Firefox on Linux, 203.0.113.7\n')
    expect(text).toContain(names ?? '')
    const links =
      told?.kind === 'email-changed' ? ['/undo-email#token='] : ['/forgot-password', '/account?tab=security']
    for (const path of links) expect(text).toContain(`${APP_URL}${path}`)
  })
})

it('every route below the account tells the person what it changed, or says why not', () => {
  const isOfAccount = ({ method, path, audit }: (typeof routes)[number]) =>
    (method !== 'GET' && path.startsWith('/account/')) || (typeof audit === 'string' && audit.startsWith('account.'))
  const known = [...Object.keys(TOLD), ...Object.keys(SILENT)]
  expect(routes.filter(isOfAccount).map(nameOf).sort()).toEqual(known.sort())
})

it('tells the address that is replaced when a change of address is undone', async () => {
  const { client, email, id } = await newPerson()
  const moved = `moved-${email}`
  await succeed(client, 'POST', '/account/email', { email: moved })
  const token = tokenIn(await textTo(moved, 'Confirm your new email address'))
  await succeed(client, 'POST', '/account/email/confirm', { token })
  const undo = tokenIn(await textTo(email, 'Your email address was changed'))
  await succeed(newBrowser(), 'POST', '/account/email/undo', { token: undo })
  expect(await textTo(moved, 'The change of your email address was undone')).toContain(`uses ${email} again`)
  const rows = await scene.heddle.database.select().from(emails).where(eq(emails.userId, id))
  expect(rows.filter(({ kind }) => kind === 'sign-in-changed')).toHaveLength(1)
})

it('tells the person when a sign-in links their account by its address', async () => {
  const person = await newPerson('proven.example')
  await joinWorkspace(scene.heddle, person.client, scene.admin)
  await ownDomain(scene, 'proven.example')
  const { id } = await openProvider(scene, { name: 'Own provider' })
  scene.idp.person = { sub: person.id, email: person.email, email_verified: true, name: 'Told' }
  expect(await signInAt(newBrowser(), id)).toBe('/sso-success')
  const linked = { change: 'identity-linked', detail: 'Own provider' }
  expect(await noticesOf(person)).toMatchObject([{ address: person.email, data: linked }])
})

it('tells nobody of a change that was refused', async () => {
  const person = await newPerson()
  const refused = await call(person.client, 'PUT', '/account/password', {
    currentPassword: 'wrong',
    newPassword: 'Another-horse-8-staple',
  })
  expect(refused.status).toBe(400)
  const reset = { token: 'x'.repeat(43), password: PASSWORD }
  expect((await call(newBrowser(), 'POST', '/account/reset-password', reset)).status).toBe(400)
  expect(await noticesOf(person)).toEqual([])
})

describe('a sign-in', () => {
  const signIn = async ({ email }: Person, browser: TestClient) => {
    await succeed(browser, 'POST', '/auth/login', { email, password: PASSWORD })
    return browser
  }
  const count = async (person: Person) => (await noticesOf(person)).length

  it('that opens the account is no news', async () => {
    expect(await noticesOf(await newPerson())).toEqual([])
  })

  it('from a new device is told once', async () => {
    const person = await newPerson()
    await signIn(person, newBrowser(CHROME))
    const text = await textTo(person.email, 'New sign-in to your account')
    expect(text).toContain('From: Chrome on Windows, 203.0.113.7\n')
    expect(text).toContain(`${APP_URL}/forgot-password`)
    await signIn(person, newBrowser(CHROME))
    expect(await noticesOf(person)).toMatchObject([{ kind: 'new-device', address: person.email }])
  })

  it('from a known device is not told, nor from another network in a browser that was there before', async () => {
    const person = await newPerson()
    await signIn(person, newBrowser())
    const roaming = browserOf(person.client, FIREFOX, '198.51.100.9')
    await succeed(person.client, 'POST', '/account/logout')
    await signIn(person, roaming)
    expect(await noticesOf(person)).toEqual([])
  })

  it('from a device that was signed out everywhere, and kept no cookie, is new again', async () => {
    const person = await newPerson()
    await signIn(person, newBrowser(CHROME))
    expect(await count(person)).toBe(1)
    await succeed(person.client, 'DELETE', '/account/sessions')
    await signIn(person, newBrowser(CHROME))
    expect(await count(person)).toBe(2)
  })

  it.each(['one session', 'all others'])('from a device is new again after its person ended %s', async (which) => {
    const person = await newPerson()
    const device = await signIn(person, newBrowser(CHROME))
    // A session that the same browser opened before, and one of this browser.
    await signIn(person, device)
    await signIn(person, person.client)
    expect(await count(person)).toBe(1)
    const open: { id: string; device: string }[] = await succeed(person.client, 'GET', '/account/sessions')
    const ended = open.find((session) => session.device === 'Chrome on Windows')?.id
    await succeed(person.client, 'DELETE', which === 'all others' ? '/account/sessions' : `/account/sessions/${ended}`)
    // Without open sessions, the cookie alone can tell the device.
    await scene.heddle.database.delete(sessions).where(eq(sessions.device, 'Chrome on Windows'))
    await signIn(person, device)
    expect(await count(person)).toBe(2)
    await signIn(person, device)
    await succeed(person.client, 'POST', '/account/logout')
    await signIn(person, browserOf(person.client, FIREFOX, '198.51.100.9'))
    expect(await count(person)).toBe(2)
  })

  async function resetPassword({ email }: Person, browser: TestClient) {
    await succeed(browser, 'POST', '/account/forgot-password', { email })
    const token = tokenIn(await textTo(email, 'Choose a new password'))
    await succeed(browser, 'POST', '/account/reset-password', { token, password: PASSWORD })
  }

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ['reset the password', (person) => resetPassword(person, person.client)],
    [
      'changed the password',
      ({ client }) => succeed(client, 'PUT', '/account/password', { currentPassword: PASSWORD, newPassword: PASSWORD }),
    ],
    ['removed all other ways to sign in', ({ client }) => succeed(client, 'DELETE', '/account/sign-in-methods')],
    ['signed out everywhere else', ({ client }) => succeed(client, 'DELETE', '/account/sessions')],
  ])('from a device without a session is new again after its person %s', async (_name, act) => {
    const person = await newPerson()
    // This browser and the other ones are known by their cookies alone.
    await signIn(person, person.client)
    const [thief, third] = [await signIn(person, newBrowser(CHROME)), await signIn(person, newBrowser('curl/8'))]
    await succeed(thief, 'POST', '/account/logout')
    await signIn(person, third)
    await act(person)
    await scene.heddle.database
      .delete(sessions)
      .where(inArray(sessions.device, ['Chrome on Windows', 'Unknown device']))
    const before = await count(person)
    await signIn(person, thief)
    expect(await count(person)).toBe(before + 1)
    await signIn(person, browserOf(person.client, FIREFOX, '198.51.100.9'))
    expect(await count(person)).toBe(before + 1)
  })

  it('with a passkey or a provider from a new device is told', async () => {
    const person = await newPerson()
    const passkey = await addPasskey(person)
    await link(person)
    const before = await count(person)
    const browser = newBrowser(CHROME)
    const { challenge } = await succeed(browser, 'POST', '/auth/passkey/options')
    await succeed(browser, 'POST', '/auth/passkey', { passkey: answerWith(passkey, SITE, challenge) })
    expect(await count(person)).toBe(before + 1)
    const other = newBrowser('curl/8')
    const start = await other.fetch(`/api/v1/sso/${providerId}/start`)
    const back = await consentAt(start.headers.get('location') ?? '', ({ pathname }) => pathname.endsWith('/callback'))
    expect(await comeBack(other, back)).toBe('/sso-success')
    expect(await count(person)).toBe(before + 2)
  })
})
