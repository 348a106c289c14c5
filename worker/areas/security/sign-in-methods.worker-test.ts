// @defends reset-leaves-thief
import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import {
  authenticators,
  emailTokens,
  identityProviders,
  passkeys,
  rateLimits,
  recoveryCodes,
  sessions,
  userIdentities,
  users,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { APP_URL, type TestClient } from '#worker/local/testing/heddle.ts'
import { readEmails, tokenIn } from '#worker/local/testing/outbox.ts'
import { answerWith, makePasskey, type SoftPasskey } from '../auth/passkeys/testing/authenticator.ts'
import { openProvider, ownDomain, type Scene, startScene } from '../sso/testing/scene.ts'

const PASSWORD = 'Correct-horse-9-staple'
const NEW_PASSWORD = 'Another-horse-8-staple'
const SITE = { rpId: new URL(APP_URL).hostname, origin: APP_URL }
const PATH = '/account/sign-in-methods'

let scene: Scene
let people = 0

beforeAll(async () => {
  scene = await startScene({ platformType: 'cloud' })
})
afterAll(() => scene.close())
beforeEach(() => scene.heddle.database.delete(rateLimits))

interface Person {
  client: TestClient
  email: string
  id: string
}

async function newPerson(): Promise<Person> {
  people += 1
  const email = `reset${people}@example.net`
  const client = await scene.heddle.signUp({ email })
  return { client, email, id: (await call(client, 'GET', '/auth/me')).body.id }
}

/** What a thief adds in ten minutes at an open browser. */
async function addEverything({ client, id }: Person): Promise<{ passkey: SoftPasskey; secret: string }> {
  const { challenge } = (await call(client, 'POST', '/account/passkeys/options')).body
  const { passkey, answer } = makePasskey(SITE, challenge)
  expect((await call(client, 'POST', '/account/passkeys', { name: 'Not mine', passkey: answer })).status).toBe(200)
  const { secret } = (await call(client, 'POST', '/account/authenticator')).body
  const code = new TOTP({ secret }).generate()
  expect((await call(client, 'POST', '/account/authenticator/confirm', { code })).status).toBe(200)
  const { database } = scene.heddle
  await database.update(authenticators).set({ lastStep: 0 }).where(eq(authenticators.userId, id))
  const date = new Date().toISOString()
  const identity = { issuer: scene.idp.url, subject: `thief of ${id}`, userId: id, email: 'thief@idp.example' }
  await database.insert(userIdentities).values({ ...identity, createdDate: date, lastUsedDate: date })
  return { passkey, secret }
}

/** How many rows of each kind still open the account. */
async function waysOf({ id }: Person) {
  const count = async (table: typeof passkeys | typeof authenticators | typeof recoveryCodes | typeof userIdentities) =>
    (await scene.heddle.database.select().from(table).where(eq(table.userId, id))).length
  return {
    passkeys: await count(passkeys),
    authenticators: await count(authenticators),
    recoveryCodes: await count(recoveryCodes),
    identities: await count(userIdentities),
  }
}
const EVERYTHING = { passkeys: 1, authenticators: 1, recoveryCodes: 10, identities: 1 }
const NOTHING = { passkeys: 0, authenticators: 0, recoveryCodes: 0, identities: 0 }

async function reset({ email }: Person) {
  await call(scene.heddle.newClient(), 'POST', '/account/forgot-password', { email })
  const token = await vi.waitFor(
    () => {
      const mine = readEmails(scene.heddle.outbox).filter(
        ({ to, subject }) => to === email && subject.startsWith('Choose'),
      )
      expect(mine).toHaveLength(1)
      return tokenIn(mine[0]?.text ?? '')
    },
    { timeout: 10_000, interval: 10 },
  )
  return call(scene.heddle.newClient(), 'POST', '/account/reset-password', { token, password: NEW_PASSWORD })
}

const login = async ({ email }: Person, password = NEW_PASSWORD) => {
  const browser = scene.heddle.newClient()
  return { browser, ...(await call(browser, 'POST', '/auth/login', { email, password })) }
}

async function byPasskey(passkey: SoftPasskey): Promise<number> {
  const browser = scene.heddle.newClient()
  const { challenge } = (await call(browser, 'POST', '/auth/passkey/options')).body
  return (await call(browser, 'POST', '/auth/passkey', { passkey: answerWith(passkey, SITE, challenge) })).status
}

it('a reset by the mailbox alone names and removes nothing, and the second step still stands', async () => {
  const person = await newPerson()
  await addEverything(person)
  const answer = await reset(person)
  expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } })
  expect(Object.keys(answer.body)).toEqual(['message'])
  expect(await waysOf(person)).toEqual(EVERYTHING)
  const { browser, body } = await login(person)
  expect(body).toMatchObject({ mfaRequired: true })
  expect((await call(browser, 'DELETE', PATH)).status).toBe(401)
  expect((await call(browser, 'GET', '/account/security')).status).toBe(401)
})

it('whoever proves the second step after a reset removes all that a thief added', async () => {
  const person = await newPerson()
  const { passkey, secret } = await addEverything(person)
  await reset(person)
  const { browser, body } = await login(person)
  const code = new TOTP({ secret }).generate()
  await call(browser, 'POST', '/auth/second-step', { challenge: body.challenge, code })
  expect((await call(browser, 'GET', '/account/security')).body).toMatchObject({ passkeys: [{ name: 'Not mine' }] })
  await scene.heddle.database.update(authenticators).set({ lastStep: 0 }).where(eq(authenticators.userId, person.id))
  expect(await byPasskey(passkey)).toBe(200)
  await call(scene.heddle.newClient(), 'POST', '/account/forgot-password', { email: person.email })

  expect((await call(browser, 'DELETE', PATH)).status).toBe(204)
  expect(await waysOf(person)).toEqual(NOTHING)
  expect(await byPasskey(passkey)).toBe(401)
  expect((await call(browser, 'GET', '/account/sessions')).body).toMatchObject([{ current: true }])
  const links = await scene.heddle.database.select().from(emailTokens).where(eq(emailTokens.userId, person.id))
  expect(links.filter(({ kind, endedDate }) => kind === 'reset-password' && endedDate === null)).toEqual([])
  expect((await login(person)).body).toMatchObject({ email: person.email })
})

it('asks for a fresh proof, and touches nobody else', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  await addEverything(other)
  const old = { confirmedDate: new Date(Date.now() - 11 * 60_000).toISOString() }
  await scene.heddle.database.update(sessions).set(old).where(eq(sessions.userId, person.id))
  const refused = await call(person.client, 'DELETE', PATH)
  expect(refused).toMatchObject({ status: 409, body: { error: 'confirm_identity' } })
  await call(person.client, 'POST', '/auth/confirm', { password: PASSWORD })
  expect((await call(person.client, 'DELETE', PATH)).status).toBe(204)
  expect(await waysOf(other)).toEqual(EVERYTHING)
})

it('keeps the only way in of somebody without a password', async () => {
  const person = await newPerson()
  await addEverything(person)
  await scene.heddle.database.update(users).set({ passwordHash: '' }).where(eq(users.id, person.id))
  const refused = await call(person.client, 'DELETE', PATH)
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('no password') } })
  expect(await waysOf(person)).toEqual(EVERYTHING)
})

it('leaves an admin the second step that lets them in when their provider fails', async () => {
  const { id, email } = (await call(scene.admin, 'GET', '/auth/me')).body
  const admin = { client: scene.admin, id, email }
  await addEverything(admin)
  await ownDomain(scene, email.split('@')[1])
  await openProvider(scene)
  await scene.heddle.database.update(identityProviders).set({ isRequired: true })
  const refused = await call(scene.admin, 'DELETE', PATH)
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('requires single sign-on') } })
  expect(await waysOf(admin)).toEqual(EVERYTHING)
})
