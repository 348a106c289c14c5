// @defends admin-removes-second-step
/** An admin turns off the two-step sign-in of a member who cannot pass it. */
import { and, eq, ne } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  authenticators,
  emails,
  knownBrowsers,
  organizationMembers,
  recoveryCodes,
  sessions,
  users,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { readEmails } from '#worker/local/testing/outbox.ts'
import { startTeam, type Team, type Teammate } from './testing/team.ts'

const PASSWORD = 'Correct-horse-9-staple'
const PLATFORM_ADMIN = 'platform@example.com'

let heddle: TestHeddle
let team: Team
let ada: Teammate

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', bindings: { PLATFORM_ADMIN_EMAIL: PLATFORM_ADMIN } })
})
afterAll(() => heddle.close())
beforeEach(async () => {
  team = await startTeam(heddle)
  ada = team.ada
})

/** Who signs up in cloud has an organization of their own. */
async function leaveOthers({ id }: Pick<Teammate, 'id'>): Promise<void> {
  const isElsewhere = and(
    eq(organizationMembers.userId, id),
    ne(organizationMembers.organizationId, team.organizationId),
  )
  await heddle.database.delete(organizationMembers).where(isElsewhere)
}

/** Sets an authenticator app up, as the person or a thief does. */
async function turnOn(person: Teammate): Promise<string> {
  const { secret } = (await person.call('POST', '/account/authenticator')).body
  const code = new TOTP({ secret }).generate()
  expect((await person.call('POST', '/account/authenticator/confirm', { code })).status).toBe(200)
  return secret
}

/** Returns a member of this organization alone, with a second step. */
async function joinWithSecondStep(rights: Parameters<Team['join']>[0] = {}): Promise<Teammate> {
  const person = await team.join(rights)
  await leaveOthers(person)
  await turnOn(person)
  return person
}

const remove = (actor: Teammate, { id }: Pick<Teammate, 'id'>) => actor.call('DELETE', `/users/${id}/second-step`)
const login = ({ email }: Teammate) => call(heddle.newClient(), 'POST', '/auth/login', { email, password: PASSWORD })
const hasSecondStep = async ({ id }: Teammate) => {
  const { database } = heddle
  const apps = await database.select().from(authenticators).where(eq(authenticators.userId, id))
  const codes = await database.select().from(recoveryCodes).where(eq(recoveryCodes.userId, id))
  return [apps.length, codes.length]
}
const KEPT = [1, 10]

it('removes the app and its codes, and signs nobody in', async () => {
  const bo = await joinWithSecondStep()
  expect((await login(bo)).body).toMatchObject({ mfaRequired: true })
  expect((await ada.call('GET', `/users/${bo.id}`)).body).toMatchObject({ hasSecondStep: true })
  const answer = await remove(ada, bo)
  expect(answer).toMatchObject({ status: 200, body: { id: bo.id, hasSecondStep: false } })
  expect(await hasSecondStep(bo)).toEqual([0, 0])
  expect(await team.events()).toContain(`user.remove-second-step ${bo.email}`)
  const wrong = { email: bo.email, password: 'Another-horse-8-staple' }
  expect((await call(heddle.newClient(), 'POST', '/auth/login', wrong)).status).toBe(401)
  expect((await login(bo)).body).toMatchObject({ email: bo.email })
})

it('ends every session of the person, and forgets their browsers', async () => {
  const bo = await joinWithSecondStep()
  const { challenge } = (await login(bo)).body
  await remove(ada, bo)
  expect((await bo.call('GET', '/auth/me')).status).toBe(401)
  expect(await heddle.database.select().from(knownBrowsers).where(eq(knownBrowsers.userId, bo.id))).toEqual([])
  const code = '123456'
  const late = await call(heddle.newClient(), 'POST', '/auth/second-step', { challenge, code })
  expect(late).toMatchObject({ status: 401, body: { error: 'sign_in_again' } })
})

it('tells the person by email who did it', async () => {
  const bo = await joinWithSecondStep()
  await heddle.database.update(users).set({ name: 'Ada Lovelace' }).where(eq(users.id, ada.id))
  await remove(ada, bo)
  const text = await vi.waitFor(
    () => {
      const found = readEmails(heddle.outbox).filter(({ to, text }) => to === bo.email && text.includes('Ada Lovelace'))
      expect(found).toHaveLength(1)
      return found[0]?.text
    },
    { timeout: 10_000, interval: 10 },
  )
  expect(text).toContain('Ada Lovelace administers your organization, and removed the authenticator app')
  expect(text).toContain('If you asked for it, there is nothing to do.')
})

describe('the second step of a member stays', () => {
  const refused = async (actor: Teammate, bo: Teammate, answer: object) => {
    const before = await heddle.database.select().from(emails).where(eq(emails.userId, bo.id))
    expect(await remove(actor, bo)).toMatchObject(answer)
    expect(await hasSecondStep(bo)).toEqual(KEPT)
    expect(await heddle.database.select().from(emails).where(eq(emails.userId, bo.id))).toHaveLength(before.length)
  }

  it.each([
    ['is a member', null],
    ['is a member, and disabled there', '2026-01-01T00:00:00.000Z'],
  ])('where they also belong to an organization where the person %s', async (_name, disabledDate) => {
    const bo = await team.join()
    await turnOn(bo)
    const isOwn = and(
      eq(organizationMembers.userId, bo.id),
      ne(organizationMembers.organizationId, team.organizationId),
    )
    await heddle.database.update(organizationMembers).set({ disabledDate }).where(isOwn)
    const message = expect.stringContaining('belongs to another organization too')
    await refused(ada, bo, { status: 409, body: { message } })
  })

  it('without a fresh proof of who is there', async () => {
    const bo = await joinWithSecondStep()
    const old = { confirmedDate: new Date(Date.now() - 11 * 60_000).toISOString() }
    await heddle.database.update(sessions).set(old).where(eq(sessions.userId, ada.id))
    await refused(ada, bo, { status: 409, body: { error: 'confirm_identity' } })
  })

  it('for an admin of another organization', async () => {
    const bo = await joinWithSecondStep()
    await refused((await startTeam(heddle)).ada, bo, { status: 404 })
  })

  it('for a member without users:manage, and for one who holds less', async () => {
    const bo = await joinWithSecondStep({ workspace: ['tools:view', 'tools:update'] })
    await refused(await team.join(), bo, { status: 403 })
    const manager = await team.join({ organization: ['users:manage'] })
    await refused(manager, bo, { status: 409, body: { error: 'holds_more' } })
  })

  it('for the platform admin, whom no organization manages', async () => {
    const bo = await joinWithSecondStep()
    const date = new Date().toISOString()
    await heddle.database
      .update(users)
      .set({ email: PLATFORM_ADMIN, emailVerifiedDate: date })
      .where(eq(users.id, bo.id))
    await refused(ada, bo, { status: 409, body: { message: expect.stringContaining('administers this installation') } })
  })
})

it('answers 404 for somebody without one, and leaves one’s own to the security page', async () => {
  const bo = await team.join()
  await leaveOthers(bo)
  expect(await remove(ada, bo)).toMatchObject({ status: 404 })
  expect((await bo.call('GET', '/auth/me')).status).toBe(200)
  await turnOn(ada)
  expect(await remove(ada, ada)).toMatchObject({ status: 409, body: { error: 'own_rights' } })
})
