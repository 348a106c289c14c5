// @defends organization-provider-account
/** Sessions that an organization's identity provider opened: they are that organization's, and not the whole account. */
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  emailTokens,
  identityProviders,
  invitations,
  organizationMembers,
  rateLimits,
  roles,
  sessions,
  userIdentities,
  users,
} from '#db/schema/index.ts'
import { tokenHash } from '#worker/http/session/secrets.ts'
import { call } from '#worker/local/testing/client.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { consentAt } from '../../../e2e/support/oauth-provider.ts'
import { joinWorkspace, userOf } from '../../http/testing/people.ts'
import { makePasskey } from '../auth/passkeys/testing/authenticator.ts'
import { comeBack, openProvider, ownDomain, type Scene, signIn, startScene } from './testing/scene.ts'

const PASSWORD = 'Correct-horse-9-staple'
const LIMITED = { status: 403, body: { error: 'account_limited' } }
const CONFIRM = { status: 409, body: { error: 'confirm_identity' } }
const isBack = (url: URL) => url.pathname.endsWith('/callback')

let scene: Scene
let providerId: string
let people = 0

beforeAll(async () => {
  scene = await startScene({ platformType: 'cloud' })
  await ownDomain(scene, 'example.com')
  const defaultRole = { workspaceId: scene.workspaceId, roleId: scene.viewer }
  providerId = (await openProvider(scene, { defaultRole })).id
})
afterAll(() => scene.close())
beforeEach(() => scene.heddle.database.delete(rateLimits))

const provider = async () => {
  const browser = scene.heddle.newClient()
  expect(await signIn(browser, providerId)).toBe('/sso-success')
  return browser
}

/** A person with a home of their own who is a member of the provider's organization too, and linked with it by hand. */
async function consultant() {
  const sub = `consultant${++people}`
  const email = `${sub}@elsewhere.example`
  const own = await scene.heddle.signUp({ email, password: PASSWORD })
  const home = await userOf(own)
  await call(own, 'POST', '/variables', { name: 'homeSecret', value: 'only-at-home', type: 'static' })
  const { setPermissions } = await joinWorkspace(scene.heddle, own, scene.admin)
  await setPermissions(['apikeys:create', 'apikeys:view', 'variables:view'])
  scene.idp.person = { sub, email: `${sub}@example.com`, email_verified: true, name: sub }
  const { body } = await call(own, 'POST', `/account/identities/${providerId}/link`, {})
  expect(await comeBack(own, await consentAt(body.url, isBack))).toBe('/account?tab=identities&linked=ok')
  return { own, id: home.id, home: home.activeWorkspaceId, email, limited: await provider() }
}

/** A person whom the provider made: there is no password, no passkey and no other organization. */
async function employee() {
  const sub = `employee${++people}`
  scene.idp.person = { sub, email: `${sub}@example.com`, email_verified: true, name: sub }
  const browser = await provider()
  return { browser, sub, id: (await userOf(browser)).id }
}

const keysOf = (browser: TestClient) =>
  call(browser, 'POST', '/apikey', { keyName: 'K', permissions: ['variables:view'] })

/** Proves to be there at the provider that opened the session, and returns the page that it leads to. */
async function confirmThere(browser: TestClient): Promise<string> {
  const { status, body, text } = await call(browser, 'POST', '/auth/confirm/provider', {})
  if (status !== 200) throw new Error(`${status} ${text}`)
  return comeBack(browser, await consentAt(body.url, isBack))
}

describe('whoever controls an organization’s identity provider', () => {
  it('never takes over the account of somebody who was linked with it', async () => {
    const { limited, home } = await consultant()
    expect(await call(limited, 'POST', `/workspaces/${home}/switch`, {})).toMatchObject({ status: 404 })
    const me = await call(limited, 'GET', '/auth/me')
    expect(me.body.assignedWorkspaces).toEqual([{ id: scene.workspaceId, name: expect.any(String) }])
    expect(me.body.managesAccount).toBe(false)
    const tries: [string, string, object?][] = [
      ['POST', '/account/passkeys/options', {}],
      ['POST', '/account/email', { email: 'mallory@evil.example' }],
      ['POST', '/account/authenticator', {}],
      ['GET', '/account/security'],
      ['GET', '/account/sessions'],
      ['DELETE', '/account/sessions'],
      ['GET', '/account/identities'],
      ['POST', `/account/identities/${providerId}/link`, {}],
      ['PUT', '/account/profile', { name: 'Mallory' }],
      ['PUT', '/account/password', { currentPassword: PASSWORD, newPassword: 'Another-horse-9-staple' }],
      ['POST', '/account/leave', {}],
      ['POST', '/auth/confirm', { password: PASSWORD }],
      ['POST', '/auth/confirm/options', {}],
    ]
    for (const [method, path, body] of tries)
      expect(await call(limited, method, path, body), path).toMatchObject(LIMITED)
  })

  it('plants no passkey, also with the proof of its own provider', async () => {
    const { limited } = await consultant()
    expect(await confirmThere(limited)).toBe('/sso-confirmed')
    expect(await call(limited, 'POST', '/account/passkeys/options', {})).toMatchObject(LIMITED)
    const { answer } = makePasskey({ rpId: 'pages.heddle.test', origin: 'https://pages.heddle.test' }, 'x')
    expect(await call(limited, 'POST', '/account/passkeys', { name: 'mine', passkey: answer })).toMatchObject(LIMITED)
  })

  it('tries no passwords: neither in such a session nor as a browser of the person', async () => {
    const { limited, id } = await consultant()
    expect((await call(limited, 'GET', '/auth/confirm')).body).toEqual({ methods: [], provider: 'Example' })
    expect([...limited.cookies.values()].some((value) => value.includes(id))).toBe(false)
  })

  it('does not finish a link that the person began', async () => {
    const { own, limited, id } = await consultant()
    const { body } = await call(own, 'POST', `/account/identities/${providerId}/link`, {})
    // As if the state had been begun in the limited session.
    scene.idp.person = { sub: `other${++people}`, email: 'other@example.com', email_verified: true, name: 'Other' }
    const back = await consentAt(body.url, isBack)
    await scene.heddle.database
      .update(sessions)
      .set({ identityProviderId: providerId })
      .where(and(eq(sessions.userId, id)))
    expect(await comeBack(own, back)).toBe('/account?tab=identities&linked=off')
    expect((await call(limited, 'GET', '/auth/me')).status).toBe(200)
  })

  it('loses its sessions with the provider, also those that open while it is deleted', async () => {
    const { limited, id } = await consultant()
    await scene.heddle.database
      .update(sessions)
      .set({ identityProviderId: crypto.randomUUID() })
      .where(and(eq(sessions.userId, id), eq(sessions.identityProviderId, providerId)))
    expect((await call(limited, 'GET', '/auth/me')).status).toBe(401)
    expect((await call(limited, 'POST', '/auth/refreshToken', {})).status).toBe(401)
  })
})

describe('an invitation into another organization', () => {
  it('is not accepted in a session of an organization’s provider, and the page says what to do', async () => {
    const { own, limited, email } = await consultant()
    const host = await scene.heddle.signUp({ email: `host${++people}@elsewhere.example` })
    const { activeOrganizationId: organizationId, activeWorkspaceId: workspaceId, id } = await userOf(host)
    const found = await scene.heddle.database.select().from(roles).where(eq(roles.organizationId, organizationId))
    const roleId = found.find(({ builtIn }) => builtIn === 'viewer')?.id ?? ''
    const sent = await call(host, 'POST', '/account/invite', {
      email,
      roleId: null,
      workspaces: [{ workspaceId, roleId }],
    })
    expect(sent.status).toBe(200)
    const token = await linkOf(sent.body.id, { id, email })
    expect((await call(limited, 'POST', '/account/invitation', { token })).body).toMatchObject({ next: 'prove' })
    expect(await call(limited, 'POST', '/account/invitation/accept', { token })).toMatchObject(LIMITED)
    expect((await call(own, 'POST', '/account/invitation', { token })).body).toMatchObject({ next: 'accept' })
    expect((await call(own, 'POST', '/account/invitation/accept', { token })).status).toBe(200)
  })
})

/** Puts a link to an invitation beside the one that was sent, which only its addressee has. */
async function linkOf(invitationId: string, { email }: { id: string; email: string }): Promise<string> {
  const { database } = scene.heddle
  const [sent] = await database.select().from(invitations).where(eq(invitations.id, invitationId))
  const token = 'a'.repeat(42) + String(people % 10)
  // The email ends the links of those before it.
  const isOfInvitation = eq(emailTokens.subject, invitationId)
  await expect.poll(() => database.select().from(emailTokens).where(isOfInvitation)).toHaveLength(1)
  await database.insert(emailTokens).values({
    hash: tokenHash(token),
    kind: 'invite',
    subject: invitationId,
    address: email,
    expiresDate: sent?.expiresDate ?? '',
    createdDate: sent?.createdDate ?? '',
  })
  return token
}

describe('an action that lasts', () => {
  it('wants a new sign-in at the provider, which counts in its organization', async () => {
    const { limited } = await consultant()
    expect(await keysOf(limited)).toMatchObject(CONFIRM)
    expect(await confirmThere(limited)).toBe('/sso-confirmed')
    expect((await keysOf(limited)).status).toBe(200)
  })

  it('asks the provider to have the person sign in there again', async () => {
    const { limited } = await consultant()
    const { body } = await call(limited, 'POST', '/auth/confirm/provider', {})
    const { searchParams } = new URL(body.url)
    expect(searchParams.get('prompt')).toBe('login')
    expect(searchParams.get('max_age')).toBe('0')
  })

  it('is not confirmed by a sign-in of long ago', async () => {
    const { limited } = await consultant()
    scene.idp.forgery = { claims: (claims) => ({ ...claims, auth_time: 1_000_000_000 }) }
    expect(await confirmThere(limited)).toBe('/sso-confirmed?failed=denied')
    scene.idp.forgery = {}
    expect(await keysOf(limited)).toMatchObject(CONFIRM)
  })

  it('is not confirmed by somebody else', async () => {
    const { limited } = await consultant()
    scene.idp.person = { sub: `other${++people}`, email: 'other@example.com', email_verified: true, name: 'Other' }
    expect(await confirmThere(limited)).toBe('/sso-confirmed?failed=taken')
    expect(await keysOf(limited)).toMatchObject(CONFIRM)
  })

  it('is not confirmed at a provider in a session that no provider opened', async () => {
    const { own } = await consultant()
    expect((await call(own, 'POST', '/auth/confirm/provider', {})).status).toBe(404)
  })
})

describe('an account that the provider made', () => {
  it('is managed with it, after a new sign-in there', async () => {
    const { browser, sub } = await employee()
    expect((await call(browser, 'GET', '/auth/me')).body.managesAccount).toBe(true)
    expect((await call(browser, 'PUT', '/account/profile', { name: 'Renamed' })).status).toBe(200)
    expect(await call(browser, 'POST', '/account/authenticator', {})).toMatchObject(CONFIRM)
    expect(await confirmThere(browser)).toBe('/sso-confirmed')
    expect((await call(browser, 'POST', '/account/authenticator', {})).status).toBe(200)
    expect(sub).not.toBe('')
  })

  it('gets nothing from it that would open the account in organizations which the person joins later', async () => {
    const { browser } = await employee()
    expect(await confirmThere(browser)).toBe('/sso-confirmed')
    const { answer } = makePasskey({ rpId: 'pages.heddle.test', origin: 'https://pages.heddle.test' }, 'x')
    const later = { status: 403, body: { message: expect.stringContaining('Choose a password first') } }
    expect((await call(browser, 'GET', '/account/security')).body).toMatchObject({ mayAddPasskeys: false })
    expect(await call(browser, 'POST', '/account/passkeys/options', {})).toMatchObject(later)
    expect(await call(browser, 'POST', '/account/passkeys', { name: 'mine', passkey: answer })).toMatchObject(later)
    expect((await call(browser, 'GET', '/account/identities')).body.providers).toEqual([])
    expect((await call(browser, 'POST', `/account/identities/${providerId}/link`, {})).status).toBe(404)
  })

  it.each<[string, (id: string) => PromiseLike<unknown>]>([
    ['has a password', (id) => scene.heddle.database.update(users).set({ passwordHash: 'x' }).where(eq(users.id, id))],
    [
      'is a member elsewhere',
      async (id) => {
        const host = await userOf(await scene.heddle.signUp({ email: `host${++people}@elsewhere.example` }))
        const row = { organizationId: host.activeOrganizationId, userId: id, createdDate: '2026-01-01T00:00:00.000Z' }
        await scene.heddle.database.insert(organizationMembers).values(row)
      },
    ],
    [
      'is linked with something else',
      (userId) =>
        scene.heddle.database.insert(userIdentities).values({
          ...{ issuer: 'https://accounts.google.com', subject: userId, userId, email: '' },
          createdDate: '2026-01-01T00:00:00.000Z',
        }),
    ],
    [
      'is linked with a provider that the platform has too',
      async () => {
        const [row] = await scene.heddle.database
          .select()
          .from(identityProviders)
          .where(eq(identityProviders.id, providerId))
        if (row) {
          await scene.heddle.database
            .insert(identityProviders)
            .values({ ...row, id: crypto.randomUUID(), organizationId: null })
        }
      },
    ],
  ])('is the person’s own once it %s', async (_, change) => {
    const { browser, id } = await employee()
    await change(id)
    expect(await call(browser, 'GET', '/account/security')).toMatchObject(LIMITED)
    expect((await call(browser, 'GET', '/auth/me')).body.managesAccount).toBe(false)
    const { database } = scene.heddle
    for (const row of await database.select().from(identityProviders)) {
      if (row.organizationId === null) await database.delete(identityProviders).where(eq(identityProviders.id, row.id))
    }
  })
})
