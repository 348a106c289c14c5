// @defends thief-moves-account
// @defends leaves-organization-required
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  auditEvents,
  authenticators,
  emailTokens,
  identityProviders,
  organizationDomains,
  rateLimits,
  sessions,
  userIdentities,
  users,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { readEmails, tokenIn } from '#worker/local/testing/outbox.ts'

const PASSWORD = 'Correct-horse-9-staple'
const SENT = { status: 200, body: { message: 'If this address can be used, an email is on its way.' } }
const EXPIRED = { status: 400, body: { field: 'token', message: expect.stringContaining('expired or was used') } }
const CONFIRM = 'Confirm your new email address'
const CHANGED = 'Your email address was changed'
const EXISTS = 'You already have an account'

let heddle: TestHeddle
let people = 0

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
})
afterAll(() => heddle.close())
beforeEach(() => heddle.database.delete(rateLimits))

interface Person {
  client: TestClient
  id: string
  email: string
  /** An address that nobody has. */
  fresh: string
}

async function newPerson(): Promise<Person> {
  people += 1
  const email = `old${people}@example.com`
  const client = await heddle.signUp({ email })
  const { body } = await call(client, 'GET', '/auth/me')
  return { client, id: body.id, email, fresh: `new${people}@example.net` }
}

/** Waits until that many emails of this subject went to the address, and returns the newest one's token. */
const tokenTo = (address: string, subject: string, count = 1) =>
  vi.waitFor(
    () => {
      const found = readEmails(heddle.outbox).filter((email) => email.to === address && email.subject === subject)
      expect(found).toHaveLength(count)
      return tokenIn(found.at(-1)?.text ?? '')
    },
    { timeout: 10_000, interval: 10 },
  )

const ask = ({ client }: Pick<Person, 'client'>, email: string) => call(client, 'POST', '/account/email', { email })
const confirm = ({ client }: Pick<Person, 'client'>, token: unknown) =>
  call(client, 'POST', '/account/email/confirm', { token })
const undo = (token: unknown) => call(heddle.newClient(), 'POST', '/account/email/undo', { token })
const login = (email: string, password = PASSWORD) =>
  call(heddle.newClient(), 'POST', '/auth/login', { email, password })

async function rowOf({ id }: Pick<Person, 'id'>) {
  const [row] = await heddle.database.select().from(users).where(eq(users.id, id))
  return row
}

/** Changes the address, and returns the token that undoes it. */
async function change(person: Person, email = person.fresh): Promise<string> {
  const before = (await rowOf(person))?.email ?? ''
  expect(await ask(person, email)).toMatchObject(SENT)
  expect(await confirm(person, await tokenTo(email, CONFIRM))).toMatchObject({ status: 200, body: { email } })
  return tokenTo(before, CHANGED)
}

describe('a new address', () => {
  it('is the account’s once its email is confirmed, and the audit log says so', async () => {
    const person = await newPerson()
    expect(await ask(person, person.fresh)).toMatchObject(SENT)
    const token = await tokenTo(person.fresh, CONFIRM)
    expect(await rowOf(person)).toMatchObject({ email: person.email })
    expect((await login(person.fresh)).status).toBe(401)
    expect(await confirm(person, token)).toMatchObject({ status: 200, body: { email: person.fresh } })
    expect((await login(person.fresh)).status).toBe(200)
    expect((await login(person.email)).status).toBe(401)
    expect(await confirm(person, token)).toMatchObject(EXPIRED)
    const events = await heddle.database.select().from(auditEvents).where(eq(auditEvents.targetId, person.id))
    expect(events).toMatchObject([
      { event: 'account.change-email', actorId: person.id, change: { email: [person.email, person.fresh] } },
    ])
  })

  it('wants proof of who asks', async () => {
    const person = await newPerson()
    await heddle.database
      .update(sessions)
      .set({ confirmedDate: new Date(Date.now() - 11 * 60_000).toISOString() })
      .where(eq(sessions.userId, person.id))
    expect(await ask(person, person.fresh)).toMatchObject({ status: 409, body: { error: 'confirm_identity' } })
  })

  it('is confirmed by nobody but its account, and stays unconfirmed with another kind of token or none', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    await ask(person, person.fresh)
    const token = await tokenTo(person.fresh, CONFIRM)
    expect((await call(heddle.newClient(), 'POST', '/account/email/confirm', { token })).status).toBe(401)
    expect((await confirm(other, token)).status).toBe(409)
    await call(heddle.newClient(), 'POST', '/account/forgot-password', { email: person.email })
    const reset = await tokenTo(person.email, 'Choose a new password')
    for (const bad of [reset, 'x'.repeat(43)]) expect(await confirm(person, bad)).toMatchObject(EXPIRED)
    for (const bad of [null, '', undefined, 7, [token]]) {
      expect(await confirm(person, bad)).toMatchObject({ status: 400, body: { field: 'token' } })
    }
    expect(await undo(token)).toMatchObject(EXPIRED)
    await heddle.database
      .update(emailTokens)
      .set({ expiresDate: new Date(Date.now() - 1).toISOString() })
      .where(eq(emailTokens.userId, person.id))
    expect(await confirm(person, token)).toMatchObject(EXPIRED)
    expect(await rowOf(person)).toMatchObject({ email: person.email })
  })

  it('is refused when it is one’s own, or none', async () => {
    const person = await newPerson()
    for (const email of [person.email, 'nobody', null]) {
      expect(await ask(person, email as string)).toMatchObject({ status: 400, body: { field: 'email' } })
    }
  })

  it('is answered alike when another account has it, whose owner gets an email', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const taken = await ask(person, other.email)
    expect(taken).toMatchObject(SENT)
    expect(taken.body).toEqual((await ask(person, person.fresh)).body)
    await tokenTo(other.email, EXISTS)
    await tokenTo(other.email, CONFIRM, 0)
  })

  it('counts as asked for last, and once when two confirm at once', async () => {
    const person = await newPerson()
    await ask(person, person.fresh)
    const older = await tokenTo(person.fresh, CONFIRM)
    await ask(person, `x${person.fresh}`)
    const newest = await tokenTo(`x${person.fresh}`, CONFIRM)
    expect(await confirm(person, older)).toMatchObject(EXPIRED)
    const answers = await Promise.all([confirm(person, newest), confirm(person, newest)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await rowOf(person)).toMatchObject({ email: `x${person.fresh}` })
  })

  it('is not taken from an account that got it meanwhile, but from a registration that nobody confirmed', async () => {
    const person = await newPerson()
    await ask(person, person.fresh)
    const token = await tokenTo(person.fresh, CONFIRM)
    await heddle.signUp({ email: person.fresh })
    expect((await confirm(person, token)).status).toBe(409)
    expect(await rowOf(person)).toMatchObject({ email: person.email })
    const squatted = `squatted-${person.fresh}`
    await call(heddle.newClient(), 'POST', '/account/register', { name: 'Eve', email: squatted, password: PASSWORD })
    await ask(person, squatted)
    expect((await confirm(person, await tokenTo(squatted, CONFIRM))).status).toBe(200)
    expect(await rowOf(person)).toMatchObject({ email: squatted })
  })

  it('keeps linked identities, and voids links to the old address', async () => {
    const person = await newPerson()
    const date = new Date().toISOString()
    const identity = { issuer: 'https://issuer.example', subject: person.id, email: person.email }
    await heddle.database.insert(userIdentities).values({ ...identity, userId: person.id, createdDate: date })
    await call(heddle.newClient(), 'POST', '/account/forgot-password', { email: person.email })
    const reset = await tokenTo(person.email, 'Choose a new password')
    await change(person)
    const kept = await heddle.database.select().from(userIdentities).where(eq(userIdentities.userId, person.id))
    expect(kept).toHaveLength(1)
    const given = { token: reset, password: 'Another-horse-8' }
    expect(await call(heddle.newClient(), 'POST', '/account/reset-password', given)).toMatchObject(EXPIRED)
  })

  it('is sent five emails an hour, and one account has five sent', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    for (let sent = 0; sent < 5; sent++) expect((await ask(person, `${sent}${person.fresh}`)).status).toBe(200)
    expect((await ask(person, `5${person.fresh}`)).status).toBe(429)
    for (let sent = 0; sent < 5; sent++) expect((await ask(other, other.fresh)).status).toBe(200)
    const third = await newPerson()
    expect((await ask(third, other.fresh)).status).toBe(429)
  })
})

describe('an organization that requires its provider', () => {
  async function requireProvider(domain: string): Promise<void> {
    const owner = await newPerson()
    const { body } = await call(owner.client, 'GET', '/auth/me')
    const [date, organizationId] = [new Date().toISOString(), body.activeOrganizationId]
    const proven = { id: crypto.randomUUID(), organizationId, domain, proof: 'p', provenDate: date, createdDate: date }
    await heddle.database.insert(organizationDomains).values(proven)
    await heddle.database.insert(identityProviders).values({
      ...{ id: crypto.randomUUID(), organizationId, kind: 'oidc', name: 'Corp', issuer: 'https://i', clientId: 'c' },
      ...{ clientSecret: 's', isEnabled: true, isRequired: true, testedDate: date, groupRoles: [] },
      ...{ createdDate: date, updatedDate: date },
    })
  }

  it('lets nobody leave its domain, and nobody take an address there', async () => {
    const person = await newPerson()
    const inside = await newPerson()
    await heddle.database.update(users).set({ email: 'a@corp.example' }).where(eq(users.id, inside.id))
    await ask(person, 'b@corp.example')
    const token = await tokenTo('b@corp.example', CONFIRM)
    await requireProvider('corp.example')
    expect(await ask(inside, inside.fresh)).toMatchObject({ status: 400, body: { field: 'email' } })
    expect(await ask(person, 'c@corp.example')).toMatchObject({ status: 400, body: { field: 'email' } })
    expect(await confirm(person, token)).toMatchObject({ status: 400, body: { field: 'email' } })
    expect(await rowOf(person)).toMatchObject({ email: person.email })
    expect(await rowOf(inside)).toMatchObject({ email: 'a@corp.example' })
  })
})

describe('undoing', () => {
  it('puts the old address back, ends every session and leads to a new password', async () => {
    const person = await newPerson()
    const token = await change(person)
    const undone = await undo(token)
    expect(undone).toMatchObject({ status: 200, body: { resetToken: expect.stringMatching(/^[\w-]{43}$/) } })
    expect(await rowOf(person)).toMatchObject({ email: person.email })
    expect((await call(person.client, 'GET', '/auth/me')).status).toBe(401)
    const given = { token: undone.body.resetToken, password: 'Another-horse-8' }
    expect((await call(heddle.newClient(), 'POST', '/account/reset-password', given)).status).toBe(200)
    expect((await login(person.email)).status).toBe(401)
    expect((await login(person.email, 'Another-horse-8')).status).toBe(200)
    expect(await undo(token)).toMatchObject(EXPIRED)
    const events = await heddle.database.select().from(auditEvents).where(eq(auditEvents.targetId, person.id))
    expect(events.map(({ event }) => event)).toEqual(['account.change-email', 'account.undo-email-change'])
  })

  it('voids the requests and the changes that came after, never those before', async () => {
    const person = await newPerson()
    const first = await change(person)
    const [second, third] = [`2${person.fresh}`, `3${person.fresh}`]
    const undoSecond = await change(person, second)
    await ask(person, third)
    const pending = await tokenTo(third, CONFIRM)
    expect((await undo(undoSecond)).status).toBe(200)
    expect(await rowOf(person)).toMatchObject({ email: person.fresh })
    const browser = heddle.newClient()
    await call(browser, 'POST', '/auth/login', { email: person.fresh, password: PASSWORD })
    expect(await confirm({ client: browser }, pending)).toMatchObject(EXPIRED)
    expect((await undo(first)).status).toBe(200)
    expect(await rowOf(person)).toMatchObject({ email: person.email })
  })

  it('undoing from the first address voids the links of later ones', async () => {
    const person = await newPerson()
    const first = await change(person)
    const later = await change(person, `2${person.fresh}`)
    expect((await undo(first)).status).toBe(200)
    expect(await undo(later)).toMatchObject(EXPIRED)
    expect(await rowOf(person)).toMatchObject({ email: person.email })
  })

  it('forgets what was added since to sign in with, and keeps what was there before', async () => {
    const person = await newPerson()
    const identity = { issuer: 'https://issuer.example', email: '', userId: person.id }
    const before = { ...identity, subject: `${person.id} before`, createdDate: '2026-01-01T00:00:00.000Z' }
    await heddle.database.insert(userIdentities).values(before)
    const token = await change(person)
    const createdDate = new Date(Date.now() + 1).toISOString()
    await heddle.database.insert(userIdentities).values({ ...identity, subject: `${person.id} since`, createdDate })
    const app = { userId: person.id, secret: 's', confirmedDate: createdDate, createdDate }
    await heddle.database.insert(authenticators).values(app)
    await undo(token)
    const linked = await heddle.database.select().from(userIdentities).where(eq(userIdentities.userId, person.id))
    expect(linked.map(({ subject }) => subject)).toEqual([`${person.id} before`])
    expect(await heddle.database.select().from(authenticators).where(eq(authenticators.userId, person.id))).toEqual([])
  })

  it('takes the address from an unconfirmed registration, and not from an account', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const [one, two] = [await change(person), await change(other)]
    await call(heddle.newClient(), 'POST', '/account/register', {
      name: 'Eve',
      email: person.email,
      password: PASSWORD,
    })
    expect((await undo(one)).status).toBe(200)
    expect(await rowOf(person)).toMatchObject({ email: person.email })
    await heddle.database.insert(users).values({
      ...{ id: crypto.randomUUID(), email: other.email, name: 'New owner', passwordHash: '' },
      ...{ activeWorkspaceId: '', createdDate: new Date().toISOString() },
    })
    expect((await undo(two)).status).toBe(409)
    expect(await rowOf(other)).toMatchObject({ email: other.fresh })
    expect((await call(other.client, 'GET', '/auth/me')).status).toBe(200)
  })

  it('works once for two at once, and not after seven days', async () => {
    const [person, late] = [await newPerson(), await newPerson()]
    const token = await change(person)
    expect((await Promise.all([undo(token), undo(token)])).map(({ status }) => status).sort()).toEqual([200, 400])
    const old = await change(late)
    await heddle.database
      .update(emailTokens)
      .set({ expiresDate: new Date(Date.now() - 1).toISOString() })
      .where(eq(emailTokens.userId, late.id))
    expect(await undo(old)).toMatchObject(EXPIRED)
  })
})
