// @defends sign-identity-provider
/** Sign-ins that somebody has tampered with. Each is refused, and opens no session. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  organizationMembers,
  organizations,
  sessions,
  userIdentities,
  users,
  workspaceMembers,
} from '#db/schema/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { CLIENT, type Forgery } from '../../../e2e/support/identity-provider.ts'
import { consentAt } from '../../../e2e/support/oauth-provider.ts'
import { comeBack, openProvider, ownDomain, type Scene, signIn, startScene, visitProvider } from './testing/scene.ts'

let scene: Scene
let browser: TestClient
let id: string

const ANN = { sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'Ann' }

beforeAll(async () => {
  scene = await startScene()
  await ownDomain(scene, 'example.com')
  id = (await openProvider(scene, { defaultRole: { workspaceId: scene.workspaceId, roleId: scene.viewer } })).id
})
afterAll(() => scene.close())

beforeEach(() => {
  browser = scene.heddle.newClient()
  scene.idp.person = { ...ANN }
})
afterEach(async () => {
  scene.idp.forgery = {}
  await scene.heddle.database.delete(userIdentities)
})

const REFUSED = (reason: string) => `/signin?sso=${reason}`

/** What a sign-in may change. */
async function rows() {
  const { database } = scene.heddle
  const tables = [users, sessions, userIdentities, organizationMembers, workspaceMembers]
  return JSON.stringify(await Promise.all(tables.map((table) => database.select().from(table))))
}

/** Expects that the address leads to the page that says why, that nobody is signed in, and that nothing has changed. */
async function expectRefused(reason: string, leave: () => Promise<string>): Promise<void> {
  const before = await rows()
  expect(await leave()).toBe(REFUSED(reason))
  expect(await rows()).toBe(before)
  expect((await browser.fetch('/api/v1/auth/me')).status).toBe(401)
}

it('an honest sign-in works', async () => {
  expect(await signIn(browser, id)).toBe('/sso-success')
  expect((await browser.fetch('/api/v1/auth/me')).status).toBe(200)
})

describe('the state', () => {
  it('must be the one that this browser left with', async () => {
    await expectRefused('expired', async () => {
      const back = await visitProvider(browser, id)
      back.searchParams.set('state', 'another')
      return comeBack(browser, back)
    })
  })

  it('must come back in the browser that left: an answer that somebody else is sent signs nobody in', async () => {
    await expectRefused('expired', async () => {
      const back = await visitProvider(scene.heddle.newClient(), id)
      await visitProvider(browser, id)
      return comeBack(browser, back)
    })
  })

  it('is good for one answer: a replayed code opens nothing', async () => {
    const back = await visitProvider(browser, id)
    const cookies = [...browser.cookies]
    expect(await comeBack(browser, back)).toBe('/sso-success')
    browser = scene.heddle.newClient()
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    await expectRefused('expired', () => comeBack(browser, back))
  })

  it('is in a cookie that pages of this host alone can set', async () => {
    const start = await browser.fetch(`/api/v1/sso/${id}/start`, { headers: { 'x-forwarded-proto': 'https' } })
    const [cookie] = start.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-heddle-sso=.+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })
})

describe('an ID token', () => {
  it.each<[string, Forgery]>([
    ['with another nonce', { claims: (claims) => ({ ...claims, nonce: 'another' }) }],
    ['without a nonce', { claims: ({ nonce: _, ...claims }) => claims }],
    ['of another issuer', { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }],
    ['for another client', { claims: (claims) => ({ ...claims, aud: 'another-client' }) }],
    [
      'for several clients, of which another asked',
      { claims: (claims) => ({ ...claims, aud: [CLIENT.clientId, 'other'], azp: 'other' }) },
    ],
    ['that has expired', { claims: (claims) => ({ ...claims, exp: 1_000_000_000 }) }],
    ['that is not signed', { sign: 'none' }],
    ['that is signed with the client secret', { sign: 'client-secret' }],
    ['that is signed with a key of somebody else', { sign: 'other-key' }],
  ])('%s is refused', async (_, forgery) => {
    scene.idp.forgery = forgery
    await expectRefused('failed', () => signIn(browser, id))
  })
})

describe('the proof of the code (PKCE)', () => {
  it('leaves with every journey as a hash of its own', async () => {
    const challengeOf = async () => {
      const start = await scene.heddle.newClient().fetch(`/api/v1/sso/${id}/start`)
      return new URL(start.headers.get('location') ?? '').searchParams
    }
    const [one, other] = [await challengeOf(), await challengeOf()]
    expect(one.get('code_challenge_method')).toBe('S256')
    expect(one.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(one.get('code_challenge')).not.toBe(other.get('code_challenge'))
  })

  it('keeps a code that was stolen from another browser from being used in this one', async () => {
    await expectRefused('failed', async () => {
      const stolen = await visitProvider(scene.heddle.newClient(), id)
      const start = await browser.fetch(`/api/v1/sso/${id}/start`)
      const { searchParams } = new URL(start.headers.get('location') ?? '')
      stolen.searchParams.set('state', searchParams.get('state') ?? '')
      // The nonce alone would not notice it.
      scene.idp.forgery = { claims: (claims) => ({ ...claims, nonce: searchParams.get('nonce') }) }
      return comeBack(browser, stolen)
    })
  })
})

describe('two providers', () => {
  it('an answer that comes to the address of another provider than the one asked is refused (mix-up)', async () => {
    const other = await openProvider(scene, { name: 'Other' })
    await expectRefused('failed', async () => {
      const back = await visitProvider(browser, id)
      back.pathname = back.pathname.replace(id, other.id)
      return comeBack(browser, back)
    })
  })

  it.each([
    ['names another provider as its sender', 'https://evil.example'],
    ['does not name its sender, although the provider always does', undefined],
  ])('an answer that %s is refused', async (_, iss) => {
    await expectRefused('failed', async () => {
      const back = await visitProvider(browser, id)
      if (iss) back.searchParams.set('iss', iss)
      else back.searchParams.delete('iss')
      return comeBack(browser, back)
    })
  })

  it('a provider that calls itself by the name of another is refused before anybody is sent there', async () => {
    const { id: wrong } = await openProvider(scene, { issuer: scene.idp.url.replace('127.0.0.1', 'localhost') })
    await expectRefused('failed', async () => {
      const start = await browser.fetch(`/api/v1/sso/${wrong}/start`)
      return start.headers.get('location') ?? ''
    })
  })
})

describe('the host', () => {
  it.each([
    ['Host', { host: 'evil.example' }],
    ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.example' }],
  ])('never takes the host of the redirect URL from a forged %s header', async (_, headers) => {
    const { location } = await rawStart(headers)
    expect(location).not.toContain('evil.example')
  })

  it('an address outside is never where a sign-in leads', async () => {
    const start = await browser.fetch(`/api/v1/sso/${id}/start?next=${encodeURIComponent('//evil.example/')}`)
    const back = await consentAt(start.headers.get('location') ?? '', (url) => url.pathname.endsWith('/callback'))
    expect(await comeBack(browser, back)).toBe('/sso-success')
  })
})

/** Browsers cannot set Host; a program can. */
async function rawStart(headers: Record<string, string>): Promise<{ status: number; location: string }> {
  const { request } = await import('node:http')
  const { promise, resolve } = Promise.withResolvers<{ status: number; location: string }>()
  request(`${scene.heddle.url}/api/v1/sso/${id}/start`, { headers }, (response) => {
    response.resume()
    resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' })
  }).end()
  return promise
}

describe('an address', () => {
  it.each([true, false])('that is not verified lets nobody in, with an account (%s) or without', async (hasAccount) => {
    const email = hasAccount ? 'person1@example.com' : 'nobody@example.com'
    scene.idp.person = { sub: 'eve', email, email_verified: false }
    await expectRefused('unverified', () => signIn(browser, id))
  })

  it('of a domain that the organization has not proven lets nobody in', async () => {
    scene.idp.person = { sub: 'eve', email: 'eve@elsewhere.example', email_verified: true }
    await expectRefused('unverified', () => signIn(browser, id))
  })

  it('of a domain that another organization has proven lets nobody in', async () => {
    const organizationId = crypto.randomUUID()
    await scene.heddle.database
      .insert(organizations)
      .values({ id: organizationId, name: 'Other', createdDate: '2026-01-01T00:00:00.000Z' })
    await ownDomain({ ...scene, organizationId }, 'other.example')
    scene.idp.person = { sub: 'eve', email: 'eve@other.example', email_verified: true }
    await expectRefused('unverified', () => signIn(browser, id))
  })
})
