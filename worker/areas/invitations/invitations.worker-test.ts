// @defends invitation-used-twice
// @defends registers-address-first
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emailTokens, invitations, rateLimits, roles, users } from '#db/schema/index.ts'
import { call, type TestClient } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { userOf } from '../../http/testing/people.ts'
import { addRole, startTeam, type Team, type Teammate } from '../users/testing/team.ts'

const PASSWORD = 'Correct-horse-9-staple'
const NOBODY_MORE = { name: 'Dee', password: PASSWORD }

let heddle: TestHeddle
let team: Team
let ada: Teammate
let people = 0
const newEmail = () => `invited${++people}@example.com`

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
})
afterAll(() => heddle.close())
beforeEach(async () => {
  team = await startTeam(heddle)
  ada = team.ada
})

async function viewerRole(): Promise<string> {
  const found = await heddle.database.select().from(roles).where(eq(roles.organizationId, team.organizationId))
  return found.find(({ builtIn }) => builtIn === 'viewer')?.id ?? ''
}

async function inviteBody(email: string, given: Record<string, unknown> = {}) {
  return { email, roleId: null, workspaces: [{ workspaceId: team.workspaceId, roleId: await viewerRole() }], ...given }
}

/** The token in the newest invitation to an address, once the email has gone. */
async function tokenFor(email: string): Promise<string> {
  const tokens = () =>
    emailsTo(email).flatMap((name) => {
      const text = readFileSync(join(heddle.outbox, name), 'utf8')
      return /\/invite#token=([\w-]{43})/.exec(text)?.[1] ?? []
    })
  await expect.poll(tokens).not.toEqual([])
  return tokens().at(-1) as string
}

function emailsTo(email: string): string[] {
  try {
    return readdirSync(heddle.outbox)
      .filter((name) => name.includes(email))
      .sort()
  } catch {
    return []
  }
}

/** Invites somebody new and returns the address and the token of the email. */
async function invited(by: Teammate = ada, email = newEmail()) {
  const sent = await by.call('POST', '/account/invite', await inviteBody(email))
  expect(sent).toMatchObject({ status: 200, body: { link: null } })
  return { email, id: sent.body.id as string, token: await tokenFor(email) }
}

const open = (client: TestClient, token: string) => call(client, 'POST', '/account/invitation', { token })
const accept = (client: TestClient, token: string, person: object = {}) =>
  call(client, 'POST', '/account/invitation/accept', { token, ...person })
const dead = { status: 400, body: { field: 'token' } }

it('lets a new person choose a name and a password and begin, once', async () => {
  const { email, token } = await invited()
  const dee = heddle.newClient()
  expect((await open(dee, token)).body).toMatchObject({
    ...{ email, inviter: ada.name, next: 'register', signedInAs: null },
  })
  expect(await accept(dee, token, { password: PASSWORD })).toMatchObject({ status: 400, body: { field: 'name' } })
  expect(await accept(dee, token, { name: 'Dee' })).toMatchObject({ status: 400, body: { field: 'password' } })
  const accepted = await accept(dee, token, NOBODY_MORE)
  expect(accepted).toMatchObject({
    status: 200,
    body: { name: 'Dee', email, role: 'Viewer', isOrganizationAdmin: false, activeWorkspaceId: team.workspaceId },
  })
  expect((await dee.fetch('/api/v1/chatflows')).status).toBe(200)
  expect((await dee.fetch('/api/v1/credentials')).status).toBe(403)
  expect(await accept(heddle.newClient(), token, NOBODY_MORE)).toMatchObject(dead)
  expect(await open(heddle.newClient(), token)).toMatchObject(dead)
  const [row] = await heddle.database.select().from(users).where(eq(users.email, email))
  expect(row?.emailVerifiedDate).toEqual(expect.any(String))
  expect(await team.events()).toEqual([`invitation.create ${email}`, `invitation.accept ${email}`])
})

it('lets one of many parallel acceptances succeed', async () => {
  const { email, token } = await invited()
  const answers = await Promise.all([1, 2, 3].map(() => accept(heddle.newClient(), token, NOBODY_MORE)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await heddle.database.select().from(users).where(eq(users.email, email))).toHaveLength(1)
})

it('asks a person with an account to sign in, and takes nobody else for them', async () => {
  const email = newEmail()
  const bo = await heddle.signUp({ email })
  const { token } = await invited(ada, email)
  expect((await open(heddle.newClient(), token)).body.next).toBe('sign_in')
  expect(await accept(heddle.newClient(), token, NOBODY_MORE)).toMatchObject({
    status: 409,
    body: { error: 'sign_in_first' },
  })
  const eve = await heddle.signUp()
  expect((await open(eve, token)).body).toMatchObject({ next: 'switch', signedInAs: (await userOf(eve)).email })
  expect(await accept(eve, token)).toMatchObject({ status: 409, body: { error: 'signed_in_as_another' } })
  expect((await open(bo, token)).body.next).toBe('accept')
  expect((await accept(bo, token)).body).toMatchObject({ email, activeWorkspaceId: team.workspaceId })
  expect((await userOf(bo)).activeWorkspaceId).toBe(team.workspaceId)
})

it('gives an account that was never confirmed to whoever got the email, without its old password', async () => {
  const email = newEmail()
  await heddle.signUp({ email, password: 'Attacker-9-password' })
  await heddle.database
    .update(users)
    .set({ status: 'unverified', emailVerifiedDate: null })
    .where(eq(users.email, email))
  const { token } = await invited(ada, email)
  expect((await accept(heddle.newClient(), token, NOBODY_MORE)).status).toBe(200)
  const signIn = (password: string) => call(heddle.newClient(), 'POST', '/auth/login', { email, password })
  expect((await signIn('Attacker-9-password')).status).toBe(401)
  expect((await signIn(PASSWORD)).status).toBe(200)
})

describe('an invitation is dead', () => {
  it('after seven days', async () => {
    const { id, token } = await invited()
    await heddle.database
      .update(invitations)
      .set({ expiresDate: '2020-01-01T00:00:00.000Z' })
      .where(eq(invitations.id, id))
    expect(await open(heddle.newClient(), token)).toMatchObject(dead)
    expect(await accept(heddle.newClient(), token, NOBODY_MORE)).toMatchObject(dead)
    expect((await ada.call('GET', '/account/invitations')).body).toMatchObject([{ id, state: 'expired' }])
  })

  it('when it was revoked', async () => {
    const { id, token } = await invited()
    expect((await ada.call('DELETE', `/account/invitations/${id}`)).status).toBe(200)
    expect(await accept(heddle.newClient(), token, NOBODY_MORE)).toMatchObject(dead)
    expect((await ada.call('GET', '/account/invitations')).body).toEqual([])
    expect((await ada.call('POST', `/account/invitations/${id}/resend`)).status).toBe(404)
  })

  it('when it was revoked while its email was on its way: the link is made after that', async () => {
    const { id, token } = await invited()
    const revokedDate = new Date().toISOString()
    await heddle.database.update(invitations).set({ revokedDate }).where(eq(invitations.id, id))
    expect(await open(heddle.newClient(), token)).toMatchObject(dead)
    expect(await accept(heddle.newClient(), token, NOBODY_MORE)).toMatchObject(dead)
  })

  it('when it was sent again: only the newest link works', async () => {
    const { id, email, token } = await invited()
    expect((await ada.call('POST', `/account/invitations/${id}/resend`)).status).toBe(200)
    await expect.poll(() => emailsTo(email)).toHaveLength(2)
    const texts = emailsTo(email).map((name) => readFileSync(join(heddle.outbox, name), 'utf8'))
    const newer = texts.map((text) => /#token=([\w-]{43})/.exec(text)?.[1] ?? '').find((each) => each !== token) ?? ''
    expect(await accept(heddle.newClient(), token, NOBODY_MORE)).toMatchObject(dead)
    expect((await accept(heddle.newClient(), newer, NOBODY_MORE)).status).toBe(200)
  })

  it.each<[string, (bo: Teammate) => Promise<unknown>]>([
    ['holds less', (bo) => heddle.database.update(roles).set({ permissions: [] }).where(eq(roles.id, bo.roleId))],
    ['is disabled', (bo) => ada.call('POST', `/users/${bo.id}/disable`)],
    ['is gone', (bo) => ada.call('DELETE', `/users/${bo.id}`)],
    ['may invite nobody', (bo) => ada.call('PUT', `/users/${bo.id}/role`, { roleId: null })],
  ])('when its inviter %s', async (_, lose) => {
    const bo = await team.join({ organization: ['users:manage'], workspace: ['tools:view'] })
    const roleId = await addRole(heddle, {
      organizationId: team.organizationId,
      ...{ kind: 'workspace', permissions: ['tools:view'] },
    })
    const email = newEmail()
    const body = { email, workspaces: [{ workspaceId: team.workspaceId, roleId }] }
    expect((await bo.call('POST', '/account/invite', body)).status).toBe(200)
    const token = await tokenFor(email)
    await lose(bo)
    expect(await open(heddle.newClient(), token)).toMatchObject(dead)
    expect(await accept(heddle.newClient(), token, NOBODY_MORE)).toMatchObject(dead)
    expect((await ada.call('GET', '/account/invitations')).body).toMatchObject([{ email, state: 'void' }])
  })
})

it('nobody invites with more than they hold there, into other organizations or twice', async () => {
  const bo = await team.join({ organization: ['users:manage'], workspace: ['tools:view'] })
  const other = await startTeam(heddle)
  const foreignRole = await addRole(heddle, {
    organizationId: other.organizationId,
    kind: 'workspace',
    permissions: [],
  })
  const own = { workspaceId: team.workspaceId, roleId: bo.roleId }
  const cases: [string, Record<string, unknown>][] = [
    ['workspaces.0.roleId', {}],
    ['workspaces.0.workspaceId', { workspaces: [{ ...own, workspaceId: other.workspaceId }] }],
    ['workspaces.0.roleId', { workspaces: [{ ...own, roleId: foreignRole }] }],
    ['workspaces.1.workspaceId', { workspaces: [own, own] }],
    ['roleId', { roleId: bo.roleId, workspaces: [own] }],
    ['workspaces', { workspaces: [] }],
    ['email', { email: 'nobody', workspaces: [own] }],
    ['invitedBy', { workspaces: [own], invitedBy: ada.id }],
  ]
  for (const [field, given] of cases) {
    const answer = await bo.call('POST', '/account/invite', await inviteBody(newEmail(), given))
    expect(answer).toMatchObject({ status: 400, body: { field } })
  }
  expect(await heddle.database.select().from(invitations).where(eq(invitations.invitedBy, bo.id))).toEqual([])
  const email = newEmail()
  expect((await bo.call('POST', '/account/invite', { email, workspaces: [own] })).status).toBe(200)
  expect(await bo.call('POST', '/account/invite', { email, workspaces: [own] })).toMatchObject({
    status: 409,
    body: { error: 'already_invited' },
  })
  expect(await bo.call('POST', '/account/invite', { email: ada.email, workspaces: [own] })).toMatchObject({
    status: 409,
    body: { error: 'already_member' },
  })
  const { body: choices } = await bo.call('GET', '/account/invite/choices')
  expect(choices.workspaces[0].roles).toContainEqual({ id: bo.roleId, name: 'Tester' })
  expect(choices.workspaces[0].roles.map(({ name }: { name: string }) => name)).not.toContain('Viewer')
})

it('another organization’s invitations are neither listed nor found', async () => {
  const { id } = await invited()
  const other = await startTeam(heddle)
  expect((await other.ada.call('GET', '/account/invitations')).body).toEqual([])
  expect((await other.ada.call('POST', `/account/invitations/${id}/resend`)).status).toBe(404)
  expect((await other.ada.call('DELETE', `/account/invitations/${id}`)).status).toBe(404)
})

it.each(['', 'null', 'undefined', 'A'.repeat(43), 'A'.repeat(44)])(
  'no token is as good as a missing one: %j',
  async (token) => {
    expect(await accept(heddle.newClient(), token, NOBODY_MORE)).toMatchObject(dead)
    expect(await open(heddle.newClient(), token)).toMatchObject(dead)
  },
)

it('keeps no token and shows the inviter no link in cloud', async () => {
  const { token } = await invited()
  const kept = JSON.stringify([
    await heddle.database.select().from(emailTokens),
    await heddle.database.select().from(invitations),
    (await ada.call('GET', '/account/invitations')).body,
  ])
  expect(kept).not.toContain(token)
})

it('sends five emails an hour to one address', async () => {
  const { id } = await invited()
  await heddle.database.delete(rateLimits)
  const statuses: number[] = []
  for (let sent = 0; sent < 6; sent++) {
    statuses.push((await ada.call('POST', `/account/invitations/${id}/resend`)).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

it('outside cloud, without a mail service, hands the link to the inviter, and it proves no address', async () => {
  const own = await startTestHeddle({ platformType: 'enterprise' })
  const client = await own.signUp()
  const { activeWorkspaceId: workspaceId } = await userOf(client)
  const [viewer] = await own.database.select().from(roles).where(eq(roles.builtIn, 'viewer'))
  const body = { email: 'dee@example.com', workspaces: [{ workspaceId, roleId: viewer?.id }] }
  const sent = await call(client, 'POST', '/account/invite', body)
  expect(sent.body.link).toMatch(/^\/invite#token=[\w-]{43}$/)
  const again = await call(client, 'POST', `/account/invitations/${sent.body.id}/resend`)
  const tokenOf = (link: string) => link.split('=')[1] ?? ''
  expect(await accept(own.newClient(), tokenOf(sent.body.link), NOBODY_MORE)).toMatchObject(dead)
  expect((await accept(own.newClient(), tokenOf(again.body.link), NOBODY_MORE)).status).toBe(200)
  const [dee] = await own.database.select().from(users).where(eq(users.email, 'dee@example.com'))
  expect(dee).toMatchObject({ status: 'active', emailVerifiedDate: null })
  await own.close()
})
