// @defends directory-adds-people
// @defends admin-makes-provider
// @defends organization-provider-account
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  auditEvents,
  emails,
  identityProviders,
  organizationMembers,
  roles,
  scimTokens,
  sessions,
  userIdentities,
  users,
  workspaceMembers,
} from '#db/schema/index.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { addRole, startTeam, type Team, type Teammate } from '../users/testing/team.ts'
import { type Directory, openDirectory, proveDomain, sendScim } from './testing/directory.ts'

const DATE = '2026-01-01T00:00:00.000Z'
const PLATFORM_ADMIN_EMAIL = 'root@platform.example'

let heddle: TestHeddle
let team: Team
let ada: Teammate
let directory: Directory
let domain: string
let teams = 0

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', bindings: { PLATFORM_ADMIN_EMAIL } })
})
afterAll(() => heddle.close())
beforeEach(async () => {
  team = await startTeam(heddle)
  ada = team.ada
  domain = `team${++teams}.example`
  await proveDomain(heddle, team.organizationId, domain)
  directory = await openDirectory(heddle, team)
})

const at = (name: string) => `${name}@${domain}`
const userRow = async (email: string) =>
  (await heddle.database.select().from(users).where(eq(users.email, email)))[0] as typeof users.$inferSelect
const roleIn = async (userId: string, workspaceId = team.workspaceId) => {
  const isTheirs = and(eq(workspaceMembers.userId, userId), eq(workspaceMembers.workspaceId, workspaceId))
  return (await heddle.database.select().from(workspaceMembers).where(isTheirs))[0]?.roleId
}
const builtIn = async (name: string) =>
  (await heddle.database.select().from(roles).where(eq(roles.organizationId, team.organizationId))).find(
    (role) => role.builtIn === name,
  )?.id as string
const mapTo = (groupId: string, roleId: string, by = ada) =>
  by.call('PUT', `/scim-groups/${groupId}`, { place: { workspaceId: team.workspaceId, roleId } })
const scimError = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: expect.any(String),
    ...(scimType && { scimType }),
  },
})

describe('tokens', () => {
  it('are shown once, and only their hash is kept', async () => {
    const [row] = await heddle.database.select().from(scimTokens).where(eq(scimTokens.id, directory.id))
    expect(directory.token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(row)).not.toContain(directory.token)
    const listed = await ada.call('GET', '/scim-tokens')
    expect(listed.body).toMatchObject({
      baseUrl: 'https://pages.heddle.test/scim/v2',
      tokens: [{ id: directory.id, name: 'Okta', isBacked: true, lastUsedDate: null, createdBy: { id: ada.id } }],
    })
    expect(listed.text).not.toContain(row?.tokenHash)
    expect(await team.events()).toEqual(['directory-token.create Okta'])
  })

  it('say when they were last used, and open nothing once they are revoked', async () => {
    expect((await directory.send('GET', '/Users')).status).toBe(200)
    await expect
      .poll(async () => (await ada.call('GET', '/scim-tokens')).body.tokens[0].lastUsedDate)
      .toMatch(/:00:00\.000Z$/)
    expect((await ada.call('DELETE', `/scim-tokens/${directory.id}`)).status).toBe(204)
    expect(await directory.send('GET', '/Users')).toMatchObject(scimError(401))
    expect(await team.events()).toContain('directory-token.delete Okta')
  })

  it('are made by admins, in the last minutes proven to be there', async () => {
    const bo = await team.join({ organization: ['sso:manage', 'users:manage'] })
    expect((await bo.call('POST', '/scim-tokens', { name: 'x' })).status).toBe(403)
    expect((await bo.call('DELETE', `/scim-tokens/${directory.id}`)).status).toBe(403)
    expect((await bo.call('GET', '/scim-tokens')).status).toBe(200)
    const cy = await team.join({ isAdmin: true })
    expect((await cy.call('POST', '/scim-tokens', { name: 'x' })).status).toBe(200)
    await heddle.database.update(sessions).set({ confirmedDate: DATE }).where(eq(sessions.userId, cy.id))
    const unproven = { status: 409, body: { error: 'confirm_identity' } }
    expect(await cy.call('POST', '/scim-tokens', { name: 'y' })).toMatchObject(unproven)
    expect(await cy.call('DELETE', `/scim-tokens/${directory.id}`)).toMatchObject(unproven)
  })

  it('do nothing any more, and say so, when who made them is no admin any more, is disabled or left', async () => {
    const cy = await team.join({ isAdmin: true, organization: ['sso:manage', 'users:manage'] })
    const theirs = await openDirectory(heddle, team, cy)
    expect((await theirs.createUser(at('bea'))).status).toBe(201)
    const [membership] = [
      and(eq(organizationMembers.organizationId, team.organizationId), eq(organizationMembers.userId, cy.id)),
    ]
    const expectNothing = async () => {
      expect(await theirs.send('GET', '/Users')).toMatchObject(scimError(403))
      expect(await theirs.send('GET', '/ServiceProviderConfig')).toMatchObject(scimError(403))
      const refused = await theirs.createUser(at('bo'))
      expect(refused).toMatchObject(scimError(403))
      expect(refused.body.detail).toContain('Who made this token')
      expect(await userRow(at('bo'))).toBeUndefined()
    }
    await heddle.database.update(organizationMembers).set({ isAdmin: false }).where(membership)
    await expectNothing()
    await heddle.database.update(organizationMembers).set({ isAdmin: true, disabledDate: DATE }).where(membership)
    await expectNothing()
    expect((await ada.call('GET', '/scim-tokens')).body.tokens).toMatchObject([{ isBacked: true }, { isBacked: false }])
    await heddle.database.delete(organizationMembers).where(membership)
    await expectNothing()
    expect((await directory.send('GET', '/Users')).status).toBe(200)
  })

  it('cost one round trip when they do not exist', async () => {
    const before = heddle.roundTrips()
    expect((await sendScim(heddle, 'unknown', 'GET', '/Users')).status).toBe(401)
    expect(heddle.roundTrips() - before).toBe(1)
  })

  it('open nothing but SCIM', async () => {
    for (const path of ['/users', '/scim-tokens', '/auth/me', '/apikey', '/chatflows']) {
      const headers = { authorization: `Bearer ${directory.token}` }
      expect((await heddle.fetch(`/api/v1${path}`, { headers })).status).toBe(401)
    }
  })
})

describe('what the server says of itself', () => {
  it('is found at its addresses, as SCIM', async () => {
    const config = await directory.send('GET', '/ServiceProviderConfig')
    expect(config.headers.get('content-type')).toContain('application/scim+json')
    expect(config.body).toMatchObject({
      patch: { supported: true },
      ...{ bulk: { supported: false }, sort: { supported: false }, etag: { supported: false } },
      filter: { supported: true, maxResults: 200 },
    })
    for (const path of ['/ResourceTypes', '/Schemas']) {
      const { body } = await directory.send('GET', path)
      expect(body).toMatchObject({ totalResults: 2, itemsPerPage: 2, startIndex: 1 })
      for (const { id, meta } of body.Resources) {
        const one = await directory.send('GET', meta.location.replace('https://pages.heddle.test/scim/v2', ''))
        expect(one).toMatchObject({ status: 200, body: { id } })
      }
    }
    expect(await directory.send('GET', '/Schemas/none')).toMatchObject(scimError(404))
  })
})

describe('users', () => {
  it('become members without a password, of a proven domain', async () => {
    const made = await directory.createUser(at('Bea'))
    expect(made).toMatchObject({
      status: 201,
      body: {
        userName: at('bea'),
        ...{ externalId: '00u1', displayName: 'Bea Stone', active: true, groups: [] },
        emails: [{ value: at('bea'), type: 'work', primary: true }],
        meta: { resourceType: 'User', location: `https://pages.heddle.test/scim/v2/Users/${made.body.id}` },
      },
    })
    expect(made.headers.get('location')).toBe(made.body.meta.location)
    expect(made.headers.get('content-type')).toContain('application/scim+json')
    const row = await userRow(at('bea'))
    expect(row).toMatchObject({ passwordHash: '', emailVerifiedDate: null, name: 'Bea Stone', status: 'active' })
    expect(JSON.stringify(row)).not.toContain('1mz050nq')
    expect(await team.memberRow(row.id)).toMatchObject({ isAdmin: false, roleId: null, externalId: '00u1' })
    expect(await team.events()).toContain(`user.provision ${at('bea')}`)
    const [event] = await heddle.database.select().from(auditEvents).where(eq(auditEvents.event, 'user.provision'))
    expect(event).toMatchObject({ actorKind: 'directory', actorName: 'Okta', workspaceId: null })
  })

  it('get the default role of the organization’s provider that is on, as those who sign in with it', async () => {
    const place = { workspaceId: team.workspaceId, roleId: await builtIn('viewer') }
    const provider = {
      ...{
        organizationId: team.organizationId,
        kind: 'oidc' as const,
        name: 'P',
        issuer: 'https://id.example',
        groupRoles: [],
      },
      ...{
        clientId: 'c',
        clientSecret: 's',
        defaultRole: place,
        testedDate: DATE,
        createdDate: DATE,
        updatedDate: DATE,
      },
    }
    const id = crypto.randomUUID()
    await heddle.database.insert(identityProviders).values({ ...provider, id, isEnabled: false })
    const { body: bea } = await directory.createUser(at('bea'))
    expect(await roleIn(bea.id)).toBeUndefined()
    await heddle.database.update(identityProviders).set({ isEnabled: true }).where(eq(identityProviders.id, id))
    const { body: cy } = await directory.createUser(at('cy'))
    expect(await roleIn(cy.id)).toBe(place.roleId)
    expect((await userRow(at('cy'))).activeWorkspaceId).toBe(team.workspaceId)
    const [event] = await heddle.database.select().from(auditEvents).where(eq(auditEvents.targetId, cy.id)).limit(1)
    expect(event?.actorKind).toBe('directory')
    expect(await team.events()).toContain(`workspace.add-user ${at('cy')}`)
  })

  it('are refused for a domain that the organization has not proven, or another one has', async () => {
    const other = await startTeam(heddle)
    await proveDomain(heddle, other.organizationId, `other-${domain}`)
    for (const email of [`bea@unproven.example`, `bea@other-${domain}`]) {
      const refused = await directory.createUser(email)
      expect(refused).toMatchObject(scimError(400, 'invalidValue'))
      expect(refused.body.detail).toContain('has not proven the domain')
      expect(await userRow(email)).toBeUndefined()
    }
  })

  it('who have an account elsewhere join with it, and once only', async () => {
    const elsewhere = await heddle.signUp({ email: at('eve') })
    expect((await directory.createUser(at('eve'))).status).toBe(201)
    const eve = await userRow(at('eve'))
    expect(eve.passwordHash).not.toBe('')
    expect((await elsewhere.fetch('/api/v1/auth/me')).status).toBe(200)
    expect(await directory.createUser(at('eve'))).toMatchObject(scimError(409, 'uniqueness'))
  })

  it('lose what somebody else prepared in their name', async () => {
    await heddle.newClient().fetch('/api/v1/account/register', {
      method: 'POST',
      json: { name: 'Mallory', email: at('eve'), password: 'Correct-horse-9-staple' },
    })
    await expect.poll(() => userRow(at('eve'))).toMatchObject({ status: 'unverified' })
    const { id } = await userRow(at('eve'))
    const identity = { issuer: 'https://evil.example', subject: 'm', userId: id, email: at('eve'), createdDate: DATE }
    await heddle.database.insert(userIdentities).values(identity)
    expect((await directory.createUser(at('eve'))).status).toBe(201)
    expect(await userRow(at('eve'))).toMatchObject({ id, passwordHash: '', emailVerifiedDate: null })
    expect(await heddle.database.select().from(userIdentities).where(eq(userIdentities.userId, id))).toEqual([])
  })

  it('whose address nobody has confirmed keep their account out', async () => {
    await heddle.signUp({ email: at('eve') })
    await heddle.database
      .update(users)
      .set({ emailVerifiedDate: null })
      .where(eq(users.email, at('eve')))
    expect(await directory.createUser(at('eve'))).toMatchObject(scimError(409, 'uniqueness'))
    expect((await userRow(at('eve'))).passwordHash).not.toBe('')
  })

  it('are found by eq and and, page by page', async () => {
    const { body: bea } = await directory.createUser(at('bea'))
    await directory.createUser(at('cy'), { externalId: '00u2', active: false })
    const find = async (filter: string) => {
      const { body } = await directory.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      return body.Resources.map(({ userName }: { userName: string }) => userName)
    }
    expect(await find(`userName eq "${at('BEA')}"`)).toEqual([at('bea')])
    expect(await find(`externalId eq "00u2"`)).toEqual([at('cy')])
    expect(await find(`emails.value eq "${at('cy')}"`)).toEqual([at('cy')])
    expect(await find(`emails[type eq "work"].value eq "${at('cy')}"`)).toEqual([at('cy')])
    expect(await find(`emails[type eq "home"].value eq "${at('cy')}"`)).toEqual([])
    expect(await find(`id eq "${bea.id}"`)).toEqual([at('bea')])
    expect(await find('active eq false')).toEqual([at('cy')])
    expect(await find(`userName eq "${at('cy')}" and active eq true`)).toEqual([])
    expect(await find(`userName eq "${at('nobody')}"`)).toEqual([])
    const page = await directory.send('GET', '/Users?startIndex=2&count=1')
    expect(page.body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 })
    expect((await directory.send('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 3, Resources: [] })
    const bare = await directory.send('GET', `/Users/${bea.id}?attributes=userName`)
    expect(bare.body).toEqual({ schemas: expect.anything(), id: bea.id, userName: at('bea') })
  })

  it.each(['userName sw "a"', 'title eq "x"', 'userName eq', 'constructor eq "x"'])(
    'are not looked for by %s',
    async (filter) => {
      const answer = await directory.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect(answer).toMatchObject(scimError(400, 'invalidFilter'))
    },
  )

  it('who are deactivated can do nothing from the next request on, and sign in anew when they are back', async () => {
    const bo = await team.join()
    expect((await bo.call('GET', '/tools')).status).toBe(200)
    const off = await directory.patch(`/Users/${bo.id}`, { op: 'Replace', path: 'active', value: 'False' })
    expect(off).toMatchObject({ status: 200, body: { active: false } })
    expect((await bo.call('GET', '/tools')).status).toBe(401)
    expect((await directory.send('GET', `/Users/${bo.id}`)).body.active).toBe(false)
    const on = await directory.patch(`/Users/${bo.id}`, { op: 'replace', value: { active: true } })
    expect(on.body.active).toBe(true)
    expect((await bo.call('GET', '/tools')).status).toBe(401)
    expect(await team.events()).toEqual(expect.arrayContaining([`user.disable ${bo.email}`, `user.enable ${bo.email}`]))
  })

  it('are changed by PUT and PATCH, to an address of a proven domain that is free', async () => {
    const { body: bea } = await directory.createUser(at('bea'))
    await directory.createUser(at('cy'))
    const path = `/Users/${bea.id}`
    const changed = await directory.patch(
      path,
      { op: 'Add', path: 'name.familyName', value: 'Rock' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'x@elsewhere.example' },
    )
    expect(changed.body).toMatchObject({ displayName: 'Bea Rock', userName: at('bea') })
    const put = await directory.send('PUT', path, { userName: at('beatrice'), displayName: 'Beatrice', active: true })
    expect(put.body).toMatchObject({ userName: at('beatrice'), displayName: 'Beatrice' })
    expect(put.body.externalId).toBeUndefined()
    expect(await directory.patch(path, { op: 'replace', path: 'userName', value: at('cy') })).toMatchObject(
      scimError(409, 'uniqueness'),
    )
    expect(await directory.patch(path, { op: 'replace', path: 'userName', value: 'b@gmail.com' })).toMatchObject(
      scimError(400, 'invalidValue'),
    )
    expect((await userRow(at('beatrice'))).id).toBe(bea.id)
    const told = await heddle.database.select().from(emails).where(eq(emails.userId, bea.id))
    expect(told).toMatchObject([{ address: at('bea'), data: { change: 'email-provisioned', detail: at('beatrice') } }])
    expect(await team.events()).toContain(`user.update ${at('beatrice')}`)
  })

  it('of other domains keep their name, and can still be deactivated', async () => {
    const bo = await team.join()
    const rename = await directory.patch(`/Users/${bo.id}`, { op: 'replace', path: 'displayName', value: 'Hacked' })
    expect(rename).toMatchObject(scimError(400))
    expect((await userRow(bo.email)).name).toBe(bo.name)
    expect((await directory.patch(`/Users/${bo.id}`, { op: 'replace', value: { active: false } })).status).toBe(200)
  })

  it('who belong to another organization too keep their name and address, and can still be deactivated', async () => {
    await heddle.signUp({ email: at('eve') })
    const { body: eve } = await directory.createUser(at('eve'))
    for (const [path, value] of [
      ['userName', at('mallory')],
      ['displayName', 'Mallory'],
    ]) {
      const changed = await directory.patch(`/Users/${eve.id}`, { op: 'replace', path, value })
      expect(changed).toMatchObject(scimError(400, 'mutability'))
    }
    const before = await userRow(at('eve'))
    const whole = await directory.send('PUT', `/Users/${eve.id}`, {
      ...{ userName: at('eve'), displayName: before.name, active: false },
    })
    expect(whole).toMatchObject({ status: 200, body: { active: false } })
    expect(await userRow(at('eve'))).toMatchObject({ email: at('eve'), name: before.name })
  })

  it('who are deleted leave the organization with all they have there', async () => {
    const bo = await team.join()
    await directory.createGroup('Sales', bo.id)
    expect((await directory.send('DELETE', `/Users/${bo.id}`)).status).toBe(204)
    expect(await team.memberRow(bo.id)).toBeUndefined()
    expect(await roleIn(bo.id)).toBeUndefined()
    expect((await bo.call('GET', '/tools')).status).toBe(401)
    expect(await directory.send('GET', `/Users/${bo.id}`)).toMatchObject(scimError(404))
    expect(await directory.send('DELETE', `/Users/${bo.id}`)).toMatchObject(scimError(404))
    expect(await team.events()).toContain(`user.remove ${bo.email}`)
  })

  it('are never the last active admin', async () => {
    const path = `/Users/${ada.id}`
    const off = { op: 'replace', value: { active: false } }
    expect(await directory.patch(path, off)).toMatchObject(scimError(409))
    expect(await directory.send('DELETE', path)).toMatchObject(scimError(409))
    expect(await team.memberRow(ada.id)).toMatchObject({ disabledDate: null })
    const cy = await team.join({ isAdmin: true })
    directory = await openDirectory(heddle, team, cy)
    expect((await directory.patch(path, off)).status).toBe(200)
  })

  it('are never the platform admin', async () => {
    await proveDomain(heddle, team.organizationId, 'platform.example')
    expect(await directory.createUser(PLATFORM_ADMIN_EMAIL)).toMatchObject(scimError(403))
    const { body: bea } = await directory.createUser(at('bea'))
    const rename = { op: 'replace', path: 'userName', value: PLATFORM_ADMIN_EMAIL }
    expect(await directory.patch(`/Users/${bea.id}`, rename)).toMatchObject(scimError(403))
    expect(await userRow(PLATFORM_ADMIN_EMAIL)).toBeUndefined()
  })

  it.each([
    [{}, 'invalidValue'],
    [{ userName: 'ann' }, 'invalidValue'],
    [{ userName: 7 }, 'invalidValue'],
    [{ userName: 'a@b.example', active: 'perhaps' }, 'invalidValue'],
    [[], 'invalidSyntax'],
  ])('are not made of %j', async (body, scimType) => {
    expect(await directory.send('POST', '/Users', body)).toMatchObject(scimError(400, scimType))
  })

  it('are not made of what is no JSON, nested too deeply or too large', async () => {
    const headers = { authorization: `Bearer ${directory.token}`, 'content-type': 'application/scim+json' }
    const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`
    for (const [body, status] of [
      ['{', 400],
      [deep, 400],
      [`"${'x'.repeat(1_100_000)}"`, 413],
    ] as const) {
      const response = await heddle.fetch('/scim/v2/Users', { method: 'POST', headers, body })
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toContain('application/scim+json')
      expect(await response.json()).toMatchObject({ status: String(status) })
    }
  })
})

describe('groups', () => {
  it('give their role in a workspace to who joins, and take it from who leaves', async () => {
    const { body: bea } = await directory.createUser(at('bea'))
    const { body: cy } = await directory.createUser(at('cy'))
    const made = await directory.createGroup('Sales', bea.id)
    expect(made).toMatchObject({ status: 201, body: { displayName: 'Sales', members: [{ value: bea.id }] } })
    expect(await roleIn(bea.id)).toBeUndefined()
    const viewer = await builtIn('viewer')
    expect(await mapTo(made.body.id, viewer)).toMatchObject({ status: 200, body: { members: 1, roleId: viewer } })
    expect(await roleIn(bea.id)).toBe(viewer)
    expect((await userRow(at('bea'))).activeWorkspaceId).toBe(team.workspaceId)
    const path = `/Groups/${made.body.id}`
    await directory.patch(path, { op: 'Add', path: 'members', value: [{ value: cy.id }] })
    expect(await roleIn(cy.id)).toBe(viewer)
    await directory.patch(path, { op: 'remove', path: `members[value eq "${bea.id}"]` })
    expect([await roleIn(bea.id), await roleIn(cy.id)]).toEqual([undefined, viewer])
    expect((await directory.send('GET', `/Users/${cy.id}`)).body.groups).toMatchObject([{ display: 'Sales' }])
    const editor = await builtIn('editor')
    await mapTo(made.body.id, editor)
    expect(await roleIn(cy.id)).toBe(editor)
    expect((await directory.send('DELETE', path)).status).toBe(204)
    expect(await roleIn(cy.id)).toBeUndefined()
    expect(await directory.send('GET', path)).toMatchObject(scimError(404))
    expect((await team.events()).filter((event) => event.startsWith('directory-group'))).toEqual([
      'directory-group.create Sales',
      ...['directory-group.map Sales', 'directory-group.update Sales', 'directory-group.update Sales'],
      ...['directory-group.map Sales', 'directory-group.delete Sales'],
    ])
  })

  it('leave a role that somebody set by hand, and count by name where two are for one workspace', async () => {
    const { body: bea } = await directory.createUser(at('bea'))
    const { body: a } = await directory.createGroup('A', bea.id)
    const { body: b } = await directory.createGroup('B', bea.id)
    const [viewer, editor] = [await builtIn('viewer'), await builtIn('editor')]
    await mapTo(b.id, viewer)
    await mapTo(a.id, editor)
    expect(await roleIn(bea.id)).toBe(editor)
    await directory.send('DELETE', `/Groups/${a.id}`)
    expect(await roleIn(bea.id)).toBe(viewer)
    const byHand = { roleId: editor }
    expect((await ada.call('PUT', `/workspaces/${team.workspaceId}/users/${bea.id}`, byHand)).status).toBeLessThan(300)
    await directory.send('PUT', `/Groups/${b.id}`, { displayName: 'B', members: [] })
    expect(await roleIn(bea.id)).toBe(editor)
  })

  it('are mapped by admins only', async () => {
    const bo = await team.join({ organization: ['sso:manage', 'users:manage'], workspace: ['tools:view'] })
    const { body: group } = await directory.createGroup('Sales', bo.id)
    expect((await mapTo(group.id, await builtIn('viewer'), bo)).status).toBe(403)
    expect((await bo.call('GET', '/scim-groups')).body).toMatchObject([{ id: group.id, roleId: null }])
    expect(await roleIn(bo.id)).toBe(bo.roleId)
  })

  it('are found by name, id and member, without their members on request', async () => {
    const { body: bea } = await directory.createUser(at('bea'))
    const { body: group } = await directory.createGroup('Sales', bea.id)
    await directory.createGroup('Support')
    const find = async (filter: string, more = '') =>
      (await directory.send('GET', `/Groups?filter=${encodeURIComponent(filter)}${more}`)).body.Resources
    expect(await find('displayName eq "sales"')).toMatchObject([{ id: group.id, members: [{ value: bea.id }] }])
    expect(await find(`id eq "${group.id}" and members eq "${bea.id}"`)).toHaveLength(1)
    expect(await find(`members.value eq "${ada.id}"`)).toEqual([])
    const [bare] = await find('displayName eq "Sales"', '&excludedAttributes=members')
    expect(bare.members).toBeUndefined()
    expect((await directory.send('GET', '/Groups')).body.totalResults).toBe(2)
  })

  it('have one name each, and members of the organization only', async () => {
    const { body: group } = await directory.createGroup('Sales')
    expect(await directory.createGroup('Sales')).toMatchObject(scimError(409, 'uniqueness'))
    await directory.createGroup('Support')
    const rename = { op: 'replace', value: { id: group.id, displayName: 'Support' } }
    expect(await directory.patch(`/Groups/${group.id}`, rename)).toMatchObject(scimError(409, 'uniqueness'))
    const other = await startTeam(heddle)
    for (const value of [other.ada.id, 'none']) {
      const add = { op: 'add', path: 'members', value: [{ value }] }
      expect(await directory.patch(`/Groups/${group.id}`, add)).toMatchObject(scimError(400, 'invalidValue'))
    }
    const many = Array.from({ length: 1001 }, () => ({ value: ada.id }))
    expect((await directory.send('POST', '/Groups', { displayName: 'Many', members: many })).status).toBe(400)
    expect(await directory.send('POST', '/Groups', {})).toMatchObject(scimError(400, 'invalidValue'))
    const foreign = await addRole(heddle, {
      ...{ organizationId: other.organizationId, kind: 'workspace', permissions: [] },
    })
    expect(await mapTo(group.id, foreign)).toMatchObject({ status: 400, body: { field: 'place.roleId' } })
  })
})

it('another organization’s people and groups are not found, and nothing of them changes', async () => {
  const other = await startTeam(heddle)
  const theirs = await openDirectory(heddle, other)
  const { body: group } = await directory.createGroup('Sales', ada.id)
  const bo = await team.join()
  const off = { Operations: [{ op: 'replace', path: 'active', value: false }] }
  const calls: [string, string, unknown?][] = [
    ['GET', `/Users/${bo.id}`],
    ['PUT', `/Users/${bo.id}`, { userName: bo.email, active: false }],
    ['PATCH', `/Users/${bo.id}`, off],
    ['DELETE', `/Users/${bo.id}`],
    ['GET', `/Groups/${group.id}`],
    ['PUT', `/Groups/${group.id}`, { displayName: 'X' }],
    ['PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'remove', path: 'members' }] }],
    ['DELETE', `/Groups/${group.id}`],
  ]
  for (const each of calls) expect(await theirs.send(...each)).toMatchObject(scimError(404))
  expect((await theirs.send('GET', '/Groups')).body.totalResults).toBe(0)
  expect(JSON.stringify((await theirs.send('GET', '/Users')).body)).not.toContain(bo.id)
  expect(await team.memberRow(bo.id)).toMatchObject({ disabledDate: null })
  expect((await directory.send('GET', `/Groups/${group.id}`)).body.members).toHaveLength(1)
  expect((await other.ada.call('PUT', `/scim-groups/${group.id}`, { place: null })).status).toBe(404)
  expect((await other.ada.call('DELETE', `/scim-tokens/${directory.id}`)).status).toBe(404)
  expect((await other.ada.call('GET', '/scim-groups')).body).toEqual([])
  expect((await other.ada.call('GET', '/scim-tokens')).text).not.toContain(directory.id)
})

it('SCIM is not part of an open source installation', async () => {
  const open = await startTestHeddle()
  const owner = await open.signUp()
  expect((await owner.fetch('/api/v1/scim-tokens')).status).toBe(403)
  expect((await sendScim(open, 'x', 'GET', '/Users')).status).toBe(401)
  await open.close()
})
