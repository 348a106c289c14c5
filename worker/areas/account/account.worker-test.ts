// @defends default-account-flag
// @defends first-account-public
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditEvents, organizations, users, workspaces } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

const PASSWORD = 'Correct-horse-9-staple'

let heddle: TestHeddle

const setupCheck = async () => (await heddle.fetch('/api/v1/account/setup-check')).json()
const register = (json: unknown) => heddle.newClient().fetch('/api/v1/account/register', { method: 'POST', json })
const person = (name: string) => ({ name, email: `${name}@example.com`, password: PASSWORD })

afterEach(() => heddle.close())

describe.each(['open source', 'enterprise'])('registration in %s', (platformType) => {
  beforeEach(async () => {
    heddle = await startTestHeddle({ platformType })
  })

  it('makes the first user the organization admin and then closes registration', async () => {
    expect(await setupCheck()).toEqual({ needsSetup: true, registrationOpen: true, needsToken: false })
    const first = await register(person('ada'))
    expect(await first.json()).toMatchObject({
      email: 'ada@example.com',
      isOrganizationAdmin: true,
      assignedWorkspaces: [{ id: expect.any(String), name: expect.any(String) }],
    })
    expect(await setupCheck()).toEqual({ needsSetup: false, registrationOpen: false, needsToken: false })
    const second = await register(person('bo'))
    expect(second.status).toBe(400)
    expect(await second.json()).toMatchObject({
      message: 'Registration is closed because this installation already has an account. Sign in instead.',
    })
    expect(await heddle.database.select().from(users)).toHaveLength(1)
  })

  it('lets exactly one of many parallel first registrations succeed', async () => {
    const responses = await Promise.all(['a', 'b', 'c', 'd'].map((name) => register(person(name))))
    expect(responses.map((response) => response.status).sort()).toEqual([200, 400, 400, 400])
    expect(await heddle.database.select().from(users)).toHaveLength(1)
    expect(await heddle.database.select().from(organizations)).toHaveLength(1)
    expect(await heddle.database.select().from(workspaces)).toHaveLength(1)
  })
})

describe('an installation with a setup token', () => {
  const setupToken = 'only-the-operator-knows'

  it('requires the setup token for the first account', async () => {
    heddle = await startTestHeddle({ setupToken })
    expect(await setupCheck()).toEqual({ needsSetup: true, registrationOpen: true, needsToken: true })
    for (const guess of [undefined, '', 'only-the-operator-know', 'x'.repeat(500)]) {
      const refused = await register({ ...person('eve'), setupToken: guess })
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({
        field: 'setupToken',
        message: expect.stringContaining('SETUP_TOKEN'),
      })
    }
    expect(await heddle.database.select().from(users)).toEqual([])
    expect((await register({ ...person('ada'), setupToken })).status).toBe(200)
    expect(await setupCheck()).toEqual({ needsSetup: false, registrationOpen: false, needsToken: false })
  })

  it('does not ask for the setup token in cloud', async () => {
    heddle = await startTestHeddle({ setupToken, platformType: 'cloud' })
    expect(await setupCheck()).toMatchObject({ needsToken: false })
    expect((await register(person('ada'))).status).toBe(200)
  })
})

describe('an installation with a user name and a password in front of /setup', () => {
  const basicAuth = (client: TestClient, json?: unknown) =>
    client.fetch('/api/v1/account/basic-auth', { method: json ? 'POST' : 'GET', json })

  it('makes the first account only in a browser that has given them', async () => {
    heddle = await startTestHeddle({ setupUsername: 'loom', setupPassword: 'warp-and-weft' })
    const client = heddle.newClient()
    expect(await (await basicAuth(client)).json()).toEqual({ required: true })
    for (const guess of [
      { username: 'loom', password: 'warp-and-wef' },
      { username: 'Loom', password: 'warp-and-weft' },
      { username: '', password: '' },
    ]) {
      expect((await basicAuth(client, guess)).status).toBe(400)
    }
    client.cookies.set('heddle-setup', `${Date.now() + 60_000}.forged`)
    const json = person('ada')
    const refused = await client.fetch('/api/v1/account/register', { method: 'POST', json })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('Open /setup') })
    expect(await heddle.database.select().from(users)).toEqual([])
    expect((await basicAuth(client, { username: 'loom', password: 'warp-and-weft' })).status).toBe(200)
    expect((await register(person('eve'))).status).toBe(400)
    expect((await client.fetch('/api/v1/account/register', { method: 'POST', json })).status).toBe(200)
    expect(await (await basicAuth(client)).json()).toEqual({ required: false })
  })

  it('does not ask without the settings', async () => {
    heddle = await startTestHeddle()
    expect(await (await basicAuth(heddle.newClient())).json()).toEqual({ required: false })
  })
})

describe('registration in cloud', () => {
  beforeEach(async () => {
    heddle = await startTestHeddle({ platformType: 'cloud' })
  })

  it('gives each user an organization and a workspace with its own key', async () => {
    expect(await setupCheck()).toEqual({ needsSetup: false, registrationOpen: true, needsToken: false })
    const clients = await Promise.all(['ada', 'bo'].map((name) => heddle.signUp(person(name))))
    const [ada, bo] = await Promise.all(
      clients.map(async (client) => (await client.fetch('/api/v1/auth/me')).json() as Promise<Record<string, string>>),
    )
    expect(ada?.activeOrganizationId).not.toBe(bo?.activeOrganizationId)
    expect(ada?.activeWorkspaceId).not.toBe(bo?.activeWorkspaceId)
    const keys = (await heddle.database.select().from(workspaces)).map((row) => row.wrappedKey)
    expect(new Set(keys).size).toBe(2)
  })

  it('registers an address once, ignoring case', async () => {
    await register(person('ada'))
    await register({ ...person('ada'), email: 'ADA@example.com' })
    expect(await heddle.database.select().from(organizations)).toHaveLength(1)
  })

  it('names the invalid field and creates nothing', async () => {
    const cases: [unknown, string][] = [
      [{ ...person('ada'), email: 'ada' }, 'email'],
      [{ ...person('ada'), password: 'short' }, 'password'],
      [{ ...person('ada'), name: '  ' }, 'name'],
      [{ name: 'Ada', email: 'ada@example.com' }, 'password'],
      [{ ...person('ada'), isOrganizationAdmin: true }, 'isOrganizationAdmin'],
      [{ ...person('ada'), activeWorkspaceId: 'x' }, 'activeWorkspaceId'],
    ]
    for (const [body, field] of cases) {
      const response = await register(body)
      expect(response.status).toBe(400)
      const answer = (await response.json()) as { message: string }
      expect(answer).toMatchObject({ statusCode: 400, success: false, field })
      expect(answer.message).toMatch(new RegExp(`^${field}: `))
    }
    expect(await heddle.database.select().from(users)).toEqual([])
  })
})

describe('the own profile', () => {
  it('gets another name, once, with an event', async () => {
    heddle = await startTestHeddle({ platformType: 'cloud' })
    const ada = await heddle.signUp()
    const rename = (json: unknown) => ada.fetch('/api/v1/account/profile', { method: 'PUT', json })
    expect(await (await rename({ name: ' Ada W. ' })).json()).toMatchObject({ name: 'Ada W.' })
    await rename({ name: 'Ada W.' })
    expect(await (await ada.fetch('/api/v1/auth/me')).json()).toMatchObject({ name: 'Ada W.' })
    const events = await heddle.database.select().from(auditEvents)
    expect(events).toMatchObject([
      { event: 'account.change-name', change: { name: { to: 'Ada W.' } }, workspaceId: null },
    ])
    for (const body of [{ name: ' ' }, { name: 'x'.repeat(101) }, {}, { name: 'A', email: 'a@example.com' }]) {
      expect((await rename(body)).status).toBe(400)
    }
  })
})
