// @defends organization-provider-speaks
// @defends invitation-used-twice
// @defends admin-makes-provider
// @defends sso-only-locks
/** Who comes in with an identity provider, as what, and what is kept of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  auditEvents,
  authenticators,
  identityProviders,
  invitations,
  loginActivity,
  organizationDomains,
  organizationMembers,
  passkeys,
  rateLimits,
  scimTokens,
  sessions,
  userIdentities,
  users,
  workspaceMembers,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { consentAt } from '../../../e2e/support/oauth-provider.ts'
import { joinWorkspace, userOf } from '../../http/testing/people.ts'
import { addProvider, comeBack, openProvider, ownDomain, type Scene, signIn, startScene } from './testing/scene.ts'

const DATE = '2026-01-01T00:00:00.000Z'
const PASSWORD = 'Correct-horse-9-staple'
/** Withdrawals, from the beginning of a sign-in to its end. */
const ROUNDS = 16
const PLATFORM_ADMIN = 'root@example.com'

let scene: Scene
let people = 0

beforeAll(async () => {
  scene = await startScene({ platformType: 'cloud', bindings: { PLATFORM_ADMIN_EMAIL: PLATFORM_ADMIN } })
  await ownDomain(scene, 'example.com')
})
afterAll(() => scene.close())
beforeEach(async () => {
  const { database } = scene.heddle
  for (const table of [rateLimits, auditEvents, loginActivity, identityProviders]) await database.delete(table)
})

const viewerHere = () => ({ workspaceId: scene.workspaceId, roleId: scene.viewer })

/** Somebody new at the provider. */
function somebody(more: object = {}) {
  const name = `guest${++people}`
  scene.idp.person = { sub: name, email: `${name}@example.com`, email_verified: true, name, ...more }
  return { email: `${name}@example.com`, name }
}

/** A member with a password. */
async function member() {
  const email = `member${++people}@example.com`
  const client = await scene.heddle.signUp({ email, password: PASSWORD })
  const { setPermissions } = await joinWorkspace(scene.heddle, client, scene.admin)
  return { client, email, setPermissions, id: (await userOf(client)).id }
}

/** What providers have done. */
const isByProvider = eq(auditEvents.actorKind, 'system')
const events = async () =>
  (await scene.heddle.database.select().from(auditEvents).where(isByProvider)).map(
    ({ event, actorKind, actorName, targetName, change }) => ({
      ...{ event, actor: `${actorKind} ${actorName}`, targetName },
      ...(change && 'role' in change && { role: change.role }),
    }),
  )
const attempts = () => scene.heddle.database.select().from(loginActivity)
const enter = async (id: string) => {
  const browser = scene.heddle.newClient()
  return { browser, page: await signIn(browser, id) }
}

describe('somebody new', () => {
  it('is made a member with the default role, found again by issuer and subject, and recorded', async () => {
    const { id } = await openProvider(scene, { defaultRole: viewerHere() })
    const { email, name } = somebody()
    const { browser, page } = await enter(id)
    expect(page).toBe('/sso-success')
    const made = await userOf(browser)
    expect(made).toMatchObject({ email, name, isSSO: true, role: 'Viewer' })
    const by = { actor: 'system Example', targetName: name }
    expect(await events()).toEqual([
      { event: 'user.create', ...by },
      { event: 'workspace.add-user', ...by, role: [null, 'Viewer'] },
    ])
    scene.idp.person = { ...scene.idp.person, email: `later-${email}` }
    expect(await userOf((await enter(id)).browser)).toMatchObject({ id: made.id, email })
    expect(await events()).toHaveLength(2)
  })

  it('refuses somebody new without a seat, and shows the organization the attempt', async () => {
    const { id } = await openProvider(scene)
    somebody()
    expect((await enter(id)).page).toBe('/signin?sso=not_invited')
    const { organizationId } = scene
    expect(await attempts()).toMatchObject([
      { userId: null, organizationId, method: 'sso', result: 'sso_not_invited', address: expect.any(String) },
    ])
    const { body } = await call(scene.admin, 'GET', '/login-activity?result=sso_not_invited')
    expect(body.data).toHaveLength(1)
    expect(await events()).toEqual([])
  })
})

describe('somebody who is invited', () => {
  const invite = (email: string) =>
    call(scene.admin, 'POST', '/account/invite', { email, roleId: null, workspaces: [viewerHere()] })

  it('accepts the invitation of exactly the verified address by signing in, once', async () => {
    const { id } = await openProvider(scene)
    const { email, name } = somebody()
    const { body: sent } = await invite(email)
    await scene.heddle.database.delete(auditEvents)
    const { browser, page } = await enter(id)
    expect(page).toBe('/sso-success')
    expect(await userOf(browser)).toMatchObject({ email, role: 'Viewer', activeWorkspaceId: scene.workspaceId })
    const actor = 'system Example'
    expect(await events()).toEqual([
      { event: 'user.create', actor, targetName: name },
      { event: 'invitation.accept', actor, targetName: email },
    ])
    const [row] = await scene.heddle.database.select().from(invitations).where(eq(invitations.id, sent.id))
    expect(row?.acceptedDate).not.toBeNull()
    expect((await call(scene.admin, 'GET', '/account/invitations')).body).toEqual([])
  })

  it('joins with an account that is linked', async () => {
    const { id } = await openProvider(scene, { defaultRole: viewerHere() })
    const { email } = somebody()
    const userId = (await userOf((await enter(id)).browser)).id
    const isTheirs = eq(organizationMembers.userId, userId)
    await scene.heddle.database.delete(workspaceMembers).where(eq(workspaceMembers.userId, userId))
    await scene.heddle.database.delete(organizationMembers).where(isTheirs)
    const { id: other } = await openProvider(scene, { name: 'Second' })
    expect((await enter(other)).page).toBe('/signin?sso=not_invited')
    await invite(email)
    expect((await enter(other)).page).toBe('/sso-success')
    expect(await scene.heddle.database.select().from(organizationMembers).where(isTheirs)).toHaveLength(1)
  })

  it.each<[string, (email: string) => Promise<unknown>]>([
    ['is for another address', () => invite('somebody-else@example.com')],
    [
      'has expired',
      async (email) => {
        await invite(email)
        await scene.heddle.database.update(invitations).set({ expiresDate: DATE })
      },
    ],
    [
      'was withdrawn',
      async (email) => {
        const { body } = await invite(email)
        await call(scene.admin, 'DELETE', `/account/invitations/${body.id}`)
      },
    ],
    [
      'gives what its inviter no longer holds',
      async (email) => {
        await invite(email)
        const { id } = await member()
        await scene.heddle.database.update(invitations).set({ invitedBy: id }).where(eq(invitations.email, email))
      },
    ],
  ])('is refused when the invitation %s', async (_, prepare) => {
    const { id } = await openProvider(scene)
    const { email } = somebody()
    await prepare(email)
    expect((await enter(id)).page).toBe('/signin?sso=not_invited')
    await scene.heddle.database.delete(invitations)
  })

  it('joins, or is refused, when the invitation is withdrawn meanwhile', async () => {
    const { id } = await openProvider(scene)
    const { database } = scene.heddle
    const begin = performance.now()
    somebody()
    await enter(id)
    const milliseconds = performance.now() - begin
    for (let round = 0; round < ROUNDS; round++) {
      const { email } = somebody()
      const { body: sent } = await invite(email)
      const entering = enter(id)
      await sleep((milliseconds * round) / ROUNDS)
      const [withdrawn, { page }] = await Promise.all([
        call(scene.admin, 'DELETE', `/account/invitations/${sent.id}`),
        entering,
      ])
      const [row] = await database.select().from(invitations).where(eq(invitations.id, sent.id))
      const accounts = await database.select().from(users).where(eq(users.email, email))
      const joined = { page: '/sso-success', withdrawn: false, accounts: 1 }
      const refused = { page: '/signin?sso=not_invited', withdrawn: true, accounts: 0 }
      expect({ page, withdrawn: withdrawn.status < 300, accounts: accounts.length }).toEqual(
        row?.acceptedDate ? joined : refused,
      )
      expect(row?.acceptedDate === null).toBe(row?.revokedDate !== null)
    }
    await database.delete(invitations)
  })

  it('is refused while the address is not verified', async () => {
    const { id } = await openProvider(scene)
    const { email } = somebody({ email_verified: false })
    await invite(email)
    expect((await enter(id)).page).toBe('/signin?sso=unverified')
    await scene.heddle.database.delete(invitations)
  })
})

describe('groups', () => {
  it('give and take roles at each sign-in, and each change is recorded', async () => {
    const room = await call(scene.admin, 'POST', '/workspaces', { name: `Room ${++people}` })
    const line = (group: string, roleId: string) => ({ group, workspaceId: room.body.id, roleId })
    const { body: roles } = await call(scene.admin, 'GET', '/sso-places')
    const editor = roles.roles.find(({ name }: { name: string }) => name === 'Editor').id
    const { id } = await openProvider(scene, {
      defaultRole: viewerHere(),
      groupRoles: [line('leads', editor), line('staff', scene.viewer)],
    })
    const { name } = somebody({ groups: ['staff'] })
    const { browser } = await enter(id)
    const userId = (await userOf(browser)).id
    const held = async () => {
      const isThere = and(eq(workspaceMembers.userId, userId), eq(workspaceMembers.workspaceId, room.body.id))
      return (await scene.heddle.database.select().from(workspaceMembers).where(isThere))[0]?.roleId
    }
    expect(await held()).toBe(scene.viewer)
    const changes: [string[], string | undefined, object][] = [
      [['leads', 'staff'], editor, { event: 'workspace.change-role', role: ['Viewer', 'Editor'] }],
      [[], undefined, { event: 'workspace.remove-user', role: ['Editor', null] }],
      [['leads'], editor, { event: 'workspace.add-user', role: [null, 'Editor'] }],
    ]
    for (const [groups, role, event] of changes) {
      await scene.heddle.database.delete(auditEvents)
      scene.idp.person = { ...scene.idp.person, groups }
      expect((await enter(id)).page).toBe('/sso-success')
      expect(await held()).toBe(role)
      expect(await events()).toEqual([{ actor: 'system Example', targetName: name, ...event }])
    }
    await enter(id)
    expect(await events()).toHaveLength(1)
  })

  it('give roles in workspaces of the organization only', async () => {
    const elsewhere = { workspaceId: crypto.randomUUID(), roleId: scene.viewer }
    await expect(addProvider(scene, { defaultRole: elsewhere })).rejects.toThrow('defaultRole.workspaceId')
    expect(await scene.heddle.database.select().from(identityProviders)).toEqual([])
  })
})

describe('SSO only', () => {
  const byPassword = (email: string) =>
    call(scene.heddle.newClient(), 'POST', '/auth/login', { email, password: PASSWORD })
  const require = () =>
    scene.heddle.database.update(identityProviders).set({ isEnabled: true, testedDate: DATE, isRequired: true })
  const addApp = (userId: string) =>
    scene.heddle.database
      .insert(authenticators)
      .values({ userId, secret: 'sealed', confirmedDate: DATE, createdDate: DATE })

  it('refuses the password of members, and of admins without a second step', async () => {
    await openProvider(scene)
    const { id, email } = await member()
    const { id: adminId, email: adminEmail } = await userOf(scene.admin)
    expect((await byPassword(email)).status).toBe(200)
    await require()
    expect((await byPassword(email)).status).toBe(401)
    expect((await byPassword(adminEmail)).status).toBe(401)
    await addApp(id)
    expect((await byPassword(email)).status).toBe(401)
    await addApp(adminId)
    expect((await byPassword(adminEmail)).body).toMatchObject({ mfaRequired: true })
    await scene.heddle.database.delete(authenticators)
    expect((await attempts()).filter(({ result }) => result === 'sso_required').length).toBeGreaterThanOrEqual(3)
    const { body } = await call(scene.heddle.newClient(), 'POST', '/auth/methods', { email: 'x@example.com' })
    expect(body).toMatchObject({ password: false, providers: [{ name: 'Example' }] })
  })

  it('cannot be switched on while it would lock out the last admin', async () => {
    const { id } = await openProvider(scene)
    const body = { name: 'Example', issuer: scene.idp.url, clientId: scene.idp.client.clientId, isEnabled: true }
    const switchOn = () => call(scene.admin, 'PUT', `/sso-providers/${id}`, { ...body, isRequired: true })
    expect(await switchOn()).toMatchObject({ status: 400, body: { field: 'isRequired' } })
    await addApp((await userOf(scene.admin)).id)
    expect((await switchOn()).status).toBe(200)
    await scene.heddle.database.delete(authenticators)
  })

  it('leaves admins the second step that lets them in, until they have another one', async () => {
    await openProvider(scene)
    const { client, id: userId } = await member()
    const isTheirs = eq(organizationMembers.userId, userId)
    await scene.heddle.database.update(organizationMembers).set({ isAdmin: true }).where(isTheirs)
    await addApp(userId)
    await require()
    const removeApp = () => call(client, 'DELETE', '/account/authenticator')
    expect(await removeApp()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('requires single sign-on') },
    })
    expect(await scene.heddle.database.select().from(authenticators)).toHaveLength(1)
    const passkey = { id: 'p1', userId, name: 'Key', publicKey: Buffer.from('k'), counter: 0, transports: [] }
    await scene.heddle.database.insert(passkeys).values({ ...passkey, isBackedUp: false, createdDate: DATE })
    expect((await removeApp()).status).toBe(204)
    expect((await call(client, 'DELETE', '/account/passkeys/p1')).status).toBe(409)
    await scene.heddle.database.update(organizationMembers).set({ isAdmin: false }).where(isTheirs)
    expect((await call(client, 'DELETE', '/account/passkeys/p1')).status).toBe(204)
  })

  it('counts for nobody while the provider is off', async () => {
    await openProvider(scene)
    const { email } = await member()
    await require()
    await scene.heddle.database.update(identityProviders).set({ isEnabled: false })
    expect((await byPassword(email)).status).toBe(200)
  })
})

describe('the platform admin', () => {
  it('never comes through an organization’s provider: not as an account, by address or by link', async () => {
    const { id } = await openProvider(scene, { defaultRole: viewerHere() })
    scene.idp.person = { sub: 'root', email: PLATFORM_ADMIN, email_verified: true }
    expect((await enter(id)).page).toBe('/signin?sso=platform_admin')
    const root = await scene.heddle.signUp({ email: PLATFORM_ADMIN, password: PASSWORD })
    await scene.heddle.database.update(users).set({ emailVerifiedDate: DATE }).where(eq(users.email, PLATFORM_ADMIN))
    expect((await enter(id)).page).toBe('/signin?sso=platform_admin')
    await joinWorkspace(scene.heddle, root, scene.admin)
    expect((await enter(id)).page).toBe('/signin?sso=platform_admin')
    expect((await call(root, 'POST', `/account/identities/${id}/link`)).status).toBe(404)
    expect(await scene.heddle.database.select().from(userIdentities).where(eq(userIdentities.subject, 'root'))).toEqual(
      [],
    )
    const kept = (await attempts()).filter(({ result }) => result === 'sso_platform_admin')
    expect(kept.some(({ userId }) => userId !== null)).toBe(true)
  })
})

describe('a member who may see single sign-on, but is no admin,', () => {
  it('reads how people sign in, and cannot come in as one of them by a provider of their own', async () => {
    const { client, setPermissions } = await member()
    await setPermissions(['sso:manage', 'users:manage'])
    const { id } = await openProvider(scene)
    const before = await settingsRows()
    const provider = { name: 'Mine', issuer: scene.idp.url, clientId: scene.idp.client.clientId }
    const attacks: [string, string, object][] = [
      ['POST', '/sso-providers', { ...provider, kind: 'oidc', clientSecret: 's' }],
      ['PUT', `/sso-providers/${id}`, { ...provider, isEnabled: true }],
      ['POST', `/sso-providers/${id}/test`, {}],
      ['DELETE', `/sso-providers/${id}`, {}],
      ['POST', '/sso-domains', { domain: 'mine.example' }],
      ['POST', '/scim-tokens', { name: 'Mine' }],
    ]
    for (const [method, path, body] of attacks) {
      const refused = await call(client, method, path, body)
      expect([refused.status, refused.body.message], `${method} ${path}`).toEqual([
        403,
        'You are not allowed to do this. Only admins of the organization may do it.',
      ])
    }
    expect(await settingsRows()).toBe(before)
    for (const path of ['/sso-providers', '/sso-domains', '/sso-places', '/scim-tokens', '/scim-groups']) {
      expect((await call(client, 'GET', path)).status, path).toBe(200)
    }
  })

  it('cannot finish a test that they began as an admin', async () => {
    const { client, id: userId } = await member()
    const setAdmin = (isAdmin: boolean) =>
      scene.heddle.database.update(organizationMembers).set({ isAdmin }).where(eq(organizationMembers.userId, userId))
    await setAdmin(true)
    const { id } = await addProvider(scene)
    const { body } = await call(client, 'POST', `/sso-providers/${id}/test`, {})
    await setAdmin(false)
    const back = await consentAt(body.url, (url) => url.pathname.endsWith('/callback'))
    expect(await comeBack(client, back)).toBe('/account?tab=sso&tested=expired')
    const [row] = await scene.heddle.database.select().from(identityProviders).where(eq(identityProviders.id, id))
    expect(row?.testedDate).toBeNull()
  })
})

const settingsRows = async () => {
  const tables = [identityProviders, organizationDomains, scimTokens]
  return JSON.stringify(await Promise.all(tables.map((table) => scene.heddle.database.select().from(table))))
}

describe('linking an account', () => {
  it('asks who it is, works from the account page, and unlinking asks too', async () => {
    const { id } = await openProvider(scene)
    const { client, email } = await member()
    const { name } = somebody()
    await staleProof(client)
    for (const path of [`/account/identities/${id}/link`, '/account/identities/unlink']) {
      const body = path.endsWith('unlink') ? { issuer: scene.idp.url, subject: name } : {}
      expect(await call(client, 'POST', path, body)).toMatchObject({ status: 409, body: { error: 'confirm_identity' } })
    }
    expect((await call(client, 'POST', '/auth/confirm', { password: PASSWORD })).status).toBe(204)
    const { body: journey } = await call(client, 'POST', `/account/identities/${id}/link`, {})
    const back = await consentAt(journey.url, (url) => url.pathname.endsWith('/callback'))
    expect(await comeBack(client, back)).toBe('/account?tab=identities&linked=ok')
    expect((await userOf((await enter(id)).browser)).email).toBe(email)
    const unlinked = await call(client, 'POST', '/account/identities/unlink', { issuer: scene.idp.url, subject: name })
    expect(unlinked.status).toBe(204)
    expect((await enter(id)).page).toBe('/signin?sso=not_invited')
  })
})

/** As if the person had proven long ago who they are. */
async function staleProof(client: TestClient): Promise<void> {
  const { id } = await userOf(client)
  await scene.heddle.database.update(sessions).set({ confirmedDate: DATE }).where(eq(sessions.userId, id))
}

describe('a provider of the platform', () => {
  it('is for everybody, gives places of its settings, and links nobody by address', async () => {
    const root = await platformAdmin()
    const { id } = await openProvider({ ...scene, admin: root }, { path: '/platform/sso-providers' })
    const { client } = await member()
    scene.idp.person = { sub: 'namesake', email: (await userOf(client)).email, email_verified: true }
    expect((await enter(id)).page).toBe('/signin?sso=link')
    const { body } = await call(scene.heddle.newClient(), 'GET', '/loginmethod/default')
    expect(body.methods).toMatchObject([{ id, name: 'Example' }])
    expect((await call(scene.admin, 'GET', '/sso-providers')).body).toEqual([])
    expect((await call(scene.admin, 'GET', '/platform/sso-providers')).status).toBe(403)
    await expect(addProvider(scene, { path: '/platform/sso-providers' })).rejects.toThrow('403')
  })
})

async function platformAdmin(): Promise<TestClient> {
  const client = scene.heddle.newClient()
  const known = await call(client, 'POST', '/auth/login', { email: PLATFORM_ADMIN, password: PASSWORD })
  if (known.status === 200) return client
  const made = await scene.heddle.signUp({ email: PLATFORM_ADMIN, password: PASSWORD })
  await scene.heddle.database.update(users).set({ emailVerifiedDate: DATE }).where(eq(users.email, PLATFORM_ADMIN))
  return made
}
