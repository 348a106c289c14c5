import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { organizations, users, workspaces } from '#db/schema/index.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'

const PASSWORD = 'Correct-horse-9-staple'

let heddle: TestHeddle

const setupCheck = async () => (await heddle.fetch('/api/v1/account/setup-check')).json()
const register = (json: unknown) => heddle.newClient().fetch('/api/v1/account/register', { method: 'POST', json })
const person = (name: string) => ({ name, email: `${name}@example.com`, password: PASSWORD })

afterEach(() => heddle.close())

describe.each(['open source', 'enterprise'])('in %s', (platformType) => {
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

describe('with a setup token', () => {
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

describe('in cloud', () => {
  beforeEach(async () => {
    heddle = await startTestHeddle({ platformType: 'cloud' })
  })

  it('gives each user an organization and a workspace with its own key', async () => {
    expect(await setupCheck()).toEqual({ needsSetup: false, registrationOpen: true, needsToken: false })
    const [ada, bo] = await Promise.all(
      ['ada', 'bo'].map(async (name) => (await register(person(name))).json() as Promise<Record<string, string>>),
    )
    expect(ada?.activeOrganizationId).not.toBe(bo?.activeOrganizationId)
    expect(ada?.activeWorkspaceId).not.toBe(bo?.activeWorkspaceId)
    const keys = (await heddle.database.select().from(workspaces)).map((row) => row.wrappedKey)
    expect(new Set(keys).size).toBe(2)
  })

  it('registers an address once, ignoring case', async () => {
    await register(person('ada'))
    const again = await register({ ...person('ada'), email: 'ADA@example.com' })
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ field: 'email' })
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
