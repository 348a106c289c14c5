// @defends passkey-replayed-copied
// @defends certificate-passkey-maker
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  auditEvents,
  challenges,
  identityProviders,
  organizationDomains,
  organizationMembers,
  passkeys,
  sessions,
  users,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { APP_URL, startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { answerWith, makePasskey, type Site, type SoftPasskey } from '../auth/passkeys/testing/authenticator.ts'

const DATE = '2026-01-01T00:00:00.000Z'

let heddle: TestHeddle
/** Where the pages are: passkeys belong there. */
const site: Site = { rpId: new URL(APP_URL).hostname, origin: APP_URL }

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
})
afterAll(() => heddle.close())

interface Person {
  client: TestClient
  id: string
}

async function newPerson(): Promise<Person> {
  const client = await heddle.signUp()
  return { client, id: (await call(client, 'GET', '/auth/me')).body.id }
}

const optionsFor = async ({ client }: Person) => (await call(client, 'POST', '/account/passkeys/options')).body

async function addPasskey(person: Person, name = 'Laptop'): Promise<SoftPasskey> {
  const { passkey, answer } = makePasskey(site, (await optionsFor(person)).challenge)
  const added = await call(person.client, 'POST', '/account/passkeys', { name, passkey: answer })
  expect(added.status, added.text).toBe(200)
  return passkey
}

async function question(browser: TestClient): Promise<string> {
  return (await call(browser, 'POST', '/auth/passkey/options')).body.challenge
}

const send = (browser: TestClient, passkey: unknown) => call(browser, 'POST', '/auth/passkey', { passkey })

describe('a passkey', () => {
  it('signs in without a name or a password, past the second step', async () => {
    const person = await newPerson()
    const passkey = await addPasskey(person)
    const browser = heddle.newClient()
    const signedIn = await send(browser, answerWith(passkey, site, await question(browser)))
    expect(signedIn).toMatchObject({ status: 200, body: { id: person.id } })
    const { body } = await call(browser, 'GET', '/account/sessions')
    expect(body).toContainEqual(expect.objectContaining({ method: 'passkey', current: true }))
  })

  it('answers each question once', async () => {
    const passkey = await addPasskey(await newPerson())
    const browser = heddle.newClient()
    const answer = answerWith(passkey, site, await question(browser))
    const answers = await Promise.all([send(browser, answer), send(heddle.newClient(), answer)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('is refused with a foreign question, origin, host, type or signature, or without its owner', async () => {
    const passkey = await addPasskey(await newPerson())
    const other = await addPasskey(await newPerson())
    const browser = heddle.newClient()
    const attempts: ((challenge: string) => unknown)[] = [
      () => answerWith(passkey, site, 'a'.repeat(43)),
      (challenge) => answerWith(passkey, { ...site, origin: 'https://evil.example' }, challenge),
      (challenge) => answerWith(passkey, { ...site, rpId: 'evil.example' }, challenge),
      (challenge) => answerWith(passkey, site, challenge, { type: 'webauthn.create' }),
      (challenge) => answerWith(passkey, site, challenge, { isVerified: false }),
      (challenge) => ({ ...answerWith(other, site, challenge), id: passkey.id, rawId: passkey.id }),
      (challenge) => answerWith({ ...passkey, id: 'nobody-has-it' }, site, challenge),
    ]
    for (const [at, attempt] of attempts.entries()) {
      const { status } = await send(browser, attempt(await question(browser)))
      expect([at, status]).toEqual([at, 401])
    }
    expect((await send(browser, answerWith(passkey, site, await question(browser)))).status).toBe(200)
  })

  it('is refused when its count falls behind: it was copied', async () => {
    const passkey = await addPasskey(await newPerson())
    const browser = heddle.newClient()
    const use = async (counter: number) =>
      (await send(browser, answerWith({ ...passkey, counter }, site, await question(browser)))).status
    expect([await use(5), await use(5), await use(4), await use(6)]).toEqual([200, 401, 401, 200])
  })

  it('opens no disabled account', async () => {
    const person = await newPerson()
    const passkey = await addPasskey(person)
    await heddle.database.update(users).set({ status: 'disabled' }).where(eq(users.id, person.id))
    const browser = heddle.newClient()
    expect((await send(browser, answerWith(passkey, site, await question(browser)))).status).toBe(401)
  })

  it('does not take the place of the identity provider that an organization requires', async () => {
    const person = await newPerson()
    const passkey = await addPasskey(person)
    const organizationId = (await call(person.client, 'GET', '/auth/me')).body.activeOrganizationId
    const stamp = { organizationId, createdDate: DATE }
    await heddle.database
      .insert(organizationDomains)
      .values({ id: 'd', domain: 'example.com', proof: 'p', provenDate: DATE, ...stamp })
    await heddle.database.insert(identityProviders).values({
      ...{ id: 'p', kind: 'oidc', name: 'Directory', issuer: 'https://id.example', clientId: 'c', clientSecret: 's' },
      ...{ isEnabled: true, testedDate: DATE, isRequired: true, groupRoles: [], updatedDate: DATE, ...stamp },
    })
    const asAdmin = heddle.newClient()
    expect((await send(asAdmin, answerWith(passkey, site, await question(asAdmin)))).status).toBe(200)
    const isPerson = eq(organizationMembers.userId, person.id)
    await heddle.database.update(organizationMembers).set({ isAdmin: false }).where(isPerson)
    const browser = heddle.newClient()
    const refused = await send(browser, answerWith(passkey, site, await question(browser)))
    expect(refused).toMatchObject({ status: 401, body: { message: expect.stringContaining('identity provider') } })
    await heddle.database.delete(identityProviders)
    await heddle.database.delete(organizationDomains)
  })

  it('does not sign in after five minutes', async () => {
    const passkey = await addPasskey(await newPerson())
    const browser = heddle.newClient()
    const challenge = await question(browser)
    await heddle.database.update(challenges).set({ expiresDate: new Date(Date.now() - 1000).toISOString() })
    expect((await send(browser, answerWith(passkey, site, challenge))).status).toBe(401)
  })
})

describe('adding a passkey', () => {
  const add = ({ client }: Person, passkey: unknown) =>
    call(client, 'POST', '/account/passkeys', { name: 'Key', passkey })

  it('wants an answer to a question of the same person, on this site, with the owner there', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const attempts: (() => Promise<unknown>)[] = [
      async () => makePasskey(site, 'a'.repeat(43)).answer,
      async () => makePasskey(site, (await optionsFor(other)).challenge).answer,
      async () => makePasskey(site, await question(person.client)).answer,
      async () => makePasskey({ ...site, origin: 'https://evil.example' }, (await optionsFor(person)).challenge).answer,
      async () => makePasskey({ ...site, rpId: 'evil.example' }, (await optionsFor(person)).challenge).answer,
      async () => makePasskey(site, (await optionsFor(person)).challenge, { isVerified: false }).answer,
      async () => makePasskey(site, (await optionsFor(person)).challenge, { type: 'webauthn.get' }).answer,
      async () => makePasskey(site, (await optionsFor(person)).challenge, { format: 'apple' }).answer,
    ]
    for (const [at, attempt] of attempts.entries()) {
      const { status, body } = await add(person, await attempt())
      expect([at, status, body?.field]).toEqual([at, 400, 'passkey'])
    }
    expect(await heddle.database.select().from(passkeys).where(eq(passkeys.userId, person.id))).toEqual([])
  })

  it('asks who is there after ten minutes', async () => {
    const person = await newPerson()
    const old = new Date(Date.now() - 11 * 60_000).toISOString()
    await heddle.database.update(sessions).set({ confirmedDate: old }).where(eq(sessions.userId, person.id))
    expect((await call(person.client, 'POST', '/account/passkeys/options')).status).toBe(409)
    expect((await add(person, makePasskey(site, 'a'.repeat(43)).answer)).status).toBe(409)
    expect((await call(person.client, 'DELETE', '/account/passkeys/x')).status).toBe(409)
  })
})

it('lists, renames and removes only the own passkeys', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  const { id } = await addPasskey(person)
  expect((await call(other.client, 'PATCH', `/account/passkeys/${id}`, { name: 'Mine' })).status).toBe(404)
  expect((await call(other.client, 'DELETE', `/account/passkeys/${id}`)).status).toBe(404)
  expect((await call(person.client, 'PATCH', `/account/passkeys/${id}`, { name: 'Phone' })).status).toBe(204)
  expect((await call(person.client, 'GET', '/account/security')).body.passkeys).toMatchObject([{ id, name: 'Phone' }])
  expect((await call(other.client, 'GET', '/account/security')).body.passkeys).toEqual([])
  expect((await call(person.client, 'DELETE', `/account/passkeys/${id}`)).status).toBe(204)
  const events = await heddle.database.select().from(auditEvents).where(eq(auditEvents.targetId, id))
  expect(events.map(({ event }) => event)).toEqual(['account.add-passkey', 'account.remove-passkey'])
})

it('the only way to sign in is not removed', async () => {
  const person = await newPerson()
  const [first, second] = [await addPasskey(person), await addPasskey(person, 'Phone')]
  const remove = ({ id }: SoftPasskey) => call(person.client, 'DELETE', `/account/passkeys/${id}`)
  await heddle.database.update(users).set({ passwordHash: '' }).where(eq(users.id, person.id))
  expect((await remove(first)).status).toBe(204)
  expect(await remove(second)).toMatchObject({
    status: 409,
    body: { message: 'This is your only way to sign in. Add a password or a passkey first.' },
  })
  expect((await call(person.client, 'GET', '/account/security')).body.passkeys).toHaveLength(1)
})
