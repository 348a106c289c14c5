// @defends secret-follows-address
/** What admins set: identity providers, and domains with their proof. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { permissionsOfKind } from '#contract/access/index.ts'
import { auditEvents, identityProviders, organizationDomains, sessions, users } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { consentAt } from '../../../e2e/support/oauth-provider.ts'
import { joinWorkspace } from '../../http/testing/people.ts'
import { type DnsServer, startDnsServer } from './testing/dns-server.ts'
import { addProvider, comeBack, openProvider, ownDomain, type Scene, signIn, startScene } from './testing/scene.ts'

const PLATFORM_ADMIN_EMAIL = 'root@example.com'

let scene: Scene
let dns: DnsServer
let outsider: TestClient

beforeAll(async () => {
  dns = await startDnsServer()
  scene = await startScene({
    platformType: 'cloud',
    host: dns.host,
    dnsUrl: dns.url,
    bindings: { PLATFORM_ADMIN_EMAIL },
  })
  outsider = await scene.heddle.signUp()
})
afterAll(async () => {
  await scene.close()
  await dns.close()
})
beforeEach(async () => {
  for (const table of [identityProviders, organizationDomains, auditEvents]) await scene.heddle.database.delete(table)
  Object.assign(dns, { records: {}, status: 200, asked: [] })
})

const events = async () => (await scene.heddle.database.select().from(auditEvents)).map(({ event }) => event)
/** Administers the platform, and is a member of the organization without rights. */
async function platformAdmin() {
  const { heddle, admin } = scene
  const client = await heddle.signUp({ email: PLATFORM_ADMIN_EMAIL })
  await heddle.database
    .update(users)
    .set({ emailVerifiedDate: '2026-01-01T00:00:00.000Z' })
    .where(eq(users.email, PLATFORM_ADMIN_EMAIL))
  return { client, ...(await joinWorkspace(heddle, client, admin)) }
}

const settings = () => ({
  ...{ kind: 'oidc', name: 'Example', issuer: scene.idp.url },
  ...scene.idp.client,
})
const change = (id: string, more: object = {}) => {
  const { kind: _, clientSecret: __, ...kept } = settings()
  return call(scene.admin, 'PUT', `/sso-providers/${id}`, { ...kept, ...more })
}

/** Signs in at the provider for a test, in the browser of the admin. */
async function test(id: string): Promise<string> {
  const { body } = await call(scene.admin, 'POST', `/sso-providers/${id}/test`, {})
  return comeBack(scene.admin, await consentAt(body.url, (url) => url.pathname.endsWith('/callback')))
}

describe('an identity provider', () => {
  it('is added switched off, and never shows its secret', async () => {
    const made = await addProvider(scene)
    expect(made).toMatchObject({ isEnabled: false, testedDate: null, issuer: scene.idp.url })
    const shown = [made, (await call(scene.admin, 'GET', '/sso-providers')).body, (await change(made.id)).body]
    const kept = [await scene.heddle.database.select().from(identityProviders), await auditRows()]
    expect(JSON.stringify([...shown, ...kept])).not.toContain(scene.idp.client.clientSecret)
    expect((await call(outsider, 'GET', '/sso-providers')).body).toEqual([])
  })

  it('is switched on only after a test, and is off again with new settings', async () => {
    const { id } = await addProvider(scene)
    expect(await change(id, { isEnabled: true })).toMatchObject({ status: 400, body: { field: 'isEnabled' } })
    expect(await signInPage(id)).toBe('/signin?sso=off')
    expect(await test(id)).toBe('/account?tab=sso&tested=ok')
    expect((await change(id, { isEnabled: true })).body).toMatchObject({ isEnabled: true })
    expect((await change(id, { isEnabled: true, name: 'Renamed' })).body).toMatchObject({ isEnabled: true })
    expect((await change(id, { isEnabled: true, clientSecret: 'new' })).body).toMatchObject({
      isEnabled: false,
      testedDate: null,
    })
    expect(await test(id)).toBe('/account?tab=sso&tested=failed')
    expect((await change(id, { isEnabled: true })).status).toBe(400)
  })

  it.each([
    ['issuer', { issuer: 'https://thief.example' }],
    ['client ID', { clientId: 'another' }],
  ])('asks for its secret again when its %s changes, and sends the stored one nowhere else', async (_, moved) => {
    const { id } = await addProvider(scene)
    const stored = () => scene.heddle.database.select().from(identityProviders)
    const before = await stored()
    expect(await change(id, moved)).toMatchObject({ status: 400, body: { field: 'clientSecret' } })
    expect(await stored()).toEqual(before)
    expect(await change(id, { ...moved, clientSecret: 'the new one' })).toMatchObject({ status: 200, body: moved })
    expect((await stored())[0]?.clientSecret).not.toBe(before[0]?.clientSecret)
  })

  it('of the platform gives no role that the platform admin does not hold in the workspace', async () => {
    const { client, setPermissions } = await platformAdmin()
    const place = { workspaceId: scene.workspaceId, roleId: scene.viewer }
    const add = (more: object) => addProvider({ ...scene, admin: client }, { path: '/platform/sso-providers', ...more })
    await setPermissions(['tools:view'])
    await expect(add({ defaultRole: place })).rejects.toThrow('defaultRole')
    await expect(add({ groupRoles: [{ group: 'me', ...place }] })).rejects.toThrow('groupRoles.0')
    expect(await scene.heddle.database.select().from(identityProviders)).toEqual([])
    await setPermissions([...permissionsOfKind('workspace')])
    expect(await add({ defaultRole: place })).toMatchObject({ defaultRole: place })
  })

  it('is not passed by a test that began with other settings', async () => {
    const { id } = await addProvider(scene)
    const { body } = await call(scene.admin, 'POST', `/sso-providers/${id}/test`, {})
    const back = await consentAt(body.url, (url) => url.pathname.endsWith('/callback'))
    await scene.heddle.database.update(identityProviders).set({ updatedDate: '2026-01-02T00:00:00.000Z' })
    expect(await comeBack(scene.admin, back)).toBe('/account?tab=sso&tested=expired')
    expect(await events()).not.toContain('identity-provider.test')
  })

  it('says what is wrong with an issuer that is not there', async () => {
    const { id } = await addProvider(scene, { issuer: `${scene.idp.url}/nothing` })
    expect(await call(scene.admin, 'POST', `/sso-providers/${id}/test`, {})).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('did not respond as expected') },
    })
  })

  it.each<[string, object]>([
    ['issuer', { issuer: 'login.example.com' }],
    ['issuer', { kind: 'microsoft', issuer: 'https://login.microsoftonline.com/common/v2.0' }],
    ['issuer', { kind: 'microsoft', issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }],
    ['clientSecret', { clientSecret: '' }],
    ['isEnabled', { isEnabled: true }],
    ['organizationId', { organizationId: 'another' }],
  ])('with a wrong %s is refused, and changes nothing', async (field, more) => {
    const answer = await call(scene.admin, 'POST', '/sso-providers', { ...settings(), ...more })
    expect(answer).toMatchObject({ status: 400, body: { field } })
    expect(await scene.heddle.database.select().from(identityProviders)).toEqual([])
    expect(await events()).toEqual([])
  })

  it('ends the sessions that it opened when it is deleted', async () => {
    await ownDomain(scene, 'example.com')
    const place = { workspaceId: scene.workspaceId, roleId: scene.viewer }
    const { id } = await openProvider(scene, { defaultRole: place })
    const browser = scene.heddle.newClient()
    expect(await signIn(browser, id)).toBe('/sso-success')
    expect((await call(outsider, 'DELETE', `/sso-providers/${id}`)).status).toBe(404)
    expect((await browser.fetch('/api/v1/auth/me')).status).toBe(200)
    expect((await call(scene.admin, 'DELETE', `/sso-providers/${id}`)).status).toBe(204)
    expect((await browser.fetch('/api/v1/auth/me')).status).toBe(401)
    const opened = (await scene.heddle.database.select().from(sessions)).filter((row) => row.identityProviderId === id)
    expect(opened.map(({ revokedDate }) => revokedDate)).toEqual([expect.any(String)])
  })
})

const auditRows = () => scene.heddle.database.select().from(auditEvents)
const signInPage = async (id: string) =>
  (await scene.heddle.newClient().fetch(`/api/v1/sso/${id}/start`)).headers.get('location')

describe('a domain', () => {
  const add = (client: TestClient, domain = 'example.com') => call(client, 'POST', '/sso-domains', { domain })
  const prove = (client: TestClient, id: string) => call(client, 'POST', `/sso-domains/${id}/prove`, {})

  it('is proven by its TXT record, once the record shows', async () => {
    const { body: domain } = await add(scene.admin, 'Example.COM')
    expect(domain).toMatchObject({ domain: 'example.com', recordName: '_heddle.example.com', provenDate: null })
    const missing = await prove(scene.admin, domain.id)
    expect(missing).toMatchObject({ status: 409, body: { message: expect.stringContaining(domain.proof) } })
    dns.records['_heddle.example.com'] = ['"v=spf1 -all"', '"heddle-domain=another"']
    expect((await prove(scene.admin, domain.id)).status).toBe(409)
    expect(await events()).toEqual(['domain.create'])
    // Long records come in pieces.
    dns.records['_heddle.example.com']?.push(`"${domain.proof.slice(0, 20)}" "${domain.proof.slice(20)}"`)
    expect((await prove(scene.admin, domain.id)).body).toMatchObject({ provenDate: expect.any(String) })
    expect(await events()).toEqual(['domain.create', 'domain.prove'])
    expect(new Set(dns.asked)).toEqual(new Set(['TXT _heddle.example.com']))
  })

  it('is tried again when the resolver fails', async () => {
    const { body: domain } = await add(scene.admin)
    dns.records['_heddle.example.com'] = [`"${domain.proof}"`]
    dns.status = 503
    const failed = await prove(scene.admin, domain.id)
    expect(failed).toMatchObject({ status: 409, body: { message: expect.stringContaining('try again') } })
    dns.status = 200
    expect((await prove(scene.admin, domain.id)).status).toBe(200)
  })

  it('is proven for one organization, and another’s is not found', async () => {
    const { body: ours } = await add(scene.admin)
    const { body: theirs } = await add(outsider)
    expect(ours.proof).not.toBe(theirs.proof)
    dns.records['_heddle.example.com'] = [`"${ours.proof}"`, `"${theirs.proof}"`]
    expect((await prove(outsider, ours.id)).status).toBe(404)
    expect((await prove(scene.admin, ours.id)).status).toBe(200)
    const second = await prove(outsider, theirs.id)
    expect(second).toMatchObject({ status: 409, body: { message: expect.stringContaining('another organization') } })
    expect((await events()).filter((event) => event === 'domain.prove')).toHaveLength(1)
    expect((await call(outsider, 'DELETE', `/sso-domains/${ours.id}`)).status).toBe(404)
    expect((await call(scene.admin, 'DELETE', `/sso-domains/${ours.id}`)).status).toBe(204)
    expect((await prove(outsider, theirs.id)).status).toBe(200)
  })

  it.each(['example', 'https://example.com', 'exa mple.com', '-.com'])('named %s is refused', async (domain) => {
    expect(await add(scene.admin, domain)).toMatchObject({ status: 400, body: { field: 'domain' } })
  })

  it('is claimed once', async () => {
    await add(scene.admin)
    expect((await add(scene.admin)).status).toBe(409)
  })
})
