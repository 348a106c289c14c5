import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apikeys } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { joinWorkspace, putKey, userOf } from '../../http/testing/people.ts'

interface NewKey {
  id: string
  apiKey: string
}

let heddle: TestHeddle
let owner: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  owner = await heddle.signUp()
})
afterAll(() => heddle.close())

const create = (client: TestClient, json: unknown) => client.fetch('/api/v1/apikey', { method: 'POST', json })
const list = async (client = owner) =>
  (await (await client.fetch('/api/v1/apikey')).json()) as Record<string, unknown>[]
const newKey = async (permissions: string[], keyName = 'CI') =>
  (await (await create(owner, { keyName, permissions })).json()) as NewKey
const withKey = (key: string, path: string, init: { method?: string; json?: unknown } = {}) =>
  heddle.fetch(path, {
    method: init.method ?? 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
  })

describe('a key', () => {
  it('shows a new key once and stores only its hash', async () => {
    const response = await create(owner, { keyName: ' Deploy ', permissions: ['chatflows:view'] })
    const made = (await response.json()) as NewKey
    expect(made).toEqual({
      id: expect.any(String),
      keyName: 'Deploy',
      apiKey: expect.stringMatching(/^[\w-]{43}$/),
      permissions: ['chatflows:view'],
    })
    const row = (await list()).find((key) => key.id === made.id)
    expect(row).toMatchObject({ keyName: 'Deploy', keyHint: made.apiKey.slice(-4), chatFlows: [] })
    expect(JSON.stringify([await list(), await heddle.database.select().from(apikeys)])).not.toContain(made.apiKey)
  })

  it('verifies, updates and deletes a key, which stops working at once', async () => {
    const { id, apiKey } = await newKey(['apikeys:view'])
    const verify = () => heddle.fetch(`/api/v1/verify/apikey/${apiKey}`)
    expect(await (await verify()).text()).toBe('OK')
    const change = { keyName: 'Renamed', permissions: ['apikeys:view', 'variables:view'] }
    const renamed = await owner.fetch(`/api/v1/apikey/${id}`, { method: 'PUT', json: change })
    expect(await renamed.json()).toMatchObject({ id, ...change })
    expect((await withKey(apiKey, '/api/v1/apikey')).status).toBe(200)
    expect((await owner.fetch(`/api/v1/apikey/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await verify()).status).toBe(401)
    expect((await withKey(apiKey, '/api/v1/apikey')).status).toBe(401)
    expect((await owner.fetch(`/api/v1/apikey/${id}`, { method: 'DELETE' })).status).toBe(404)
  })

  it('lists keys in pages when page and limit are given', async () => {
    await newKey(['chatflows:view'], 'One more')
    const all = await list()
    const page = await (await owner.fetch('/api/v1/apikey?page=1&limit=1')).json()
    expect(page).toEqual({ data: [all[0]], total: all.length })
  })
})

describe('the permissions of a key', () => {
  it.each([
    [{ keyName: 'x', permissions: [] }, 'permissions'],
    [{ keyName: 'x' }, 'permissions'],
    [{ keyName: '', permissions: ['chatflows:view'] }, 'keyName'],
    [{ keyName: 'x', permissions: ['chatflows:view', 'everything:all'] }, 'permissions.1'],
    [{ keyName: 'x', permissions: ['workspace:view'] }, 'permissions.0'],
    [{ keyName: 'x', permissions: ['admin:users'] }, 'permissions.0'],
    [{ keyName: 'x', permissions: ['users:manage'] }, 'permissions.0'],
    [{ keyName: 'x', permissions: ['roles:manage'] }, 'permissions.0'],
    [{ keyName: 'x', permissions: ['sso:manage'] }, 'permissions.0'],
    [{ keyName: 'x', permissions: ['loginActivity:view'] }, 'permissions.0'],
    [{ keyName: 'x', permissions: ['datasets:view'] }, 'permissions.0'],
    [{ keyName: 'x', permissions: ['chatflows:view'], workspaceId: 'other' }, 'workspaceId'],
    [{ keyName: 'x', permissions: ['chatflows:view'], keyHash: 'mine' }, 'keyHash'],
  ])('%j is refused at %s', async (body, field) => {
    const before = await heddle.database.select().from(apikeys)
    const response = await create(owner, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ field, message: expect.stringMatching(`^${field}: `) })
    expect(await heddle.database.select().from(apikeys)).toEqual(before)
  })

  it('cannot exceed those of the person who creates the key', async () => {
    const member = await heddle.signUp()
    const { setPermissions } = await joinWorkspace(heddle, member, owner)
    await setPermissions(['apikeys:create', 'chatflows:view'])
    expect((await create(member, { keyName: 'mine', permissions: ['chatflows:view'] })).status).toBe(200)
    const more = await create(member, { keyName: 'more', permissions: ['chatflows:view', 'chatflows:delete'] })
    expect(more.status).toBe(400)
    expect(await more.json()).toMatchObject({ field: 'permissions.1' })
    const grantable = (await (await member.fetch('/api/v1/permissions')).json()) as {
      permissions: { name: string }[]
    }[]
    expect(grantable.flatMap((group) => group.permissions.map(({ name }) => name)).sort()).toEqual([
      'apikeys:create',
      'chatflows:view',
    ])
  })

  it('cannot exceed those of the key that creates or updates the key', async () => {
    const { id, apiKey } = await newKey(['apikeys:create'])
    const wanted = { keyName: 'grown', permissions: ['credentials:view'] }
    expect((await withKey(apiKey, '/api/v1/apikey', { method: 'POST', json: wanted })).status).toBe(400)
    expect((await withKey(apiKey, `/api/v1/apikey/${id}`, { method: 'PUT', json: wanted })).status).toBe(400)
    expect((await list()).find((key) => key.id === id)).toMatchObject({ permissions: ['apikeys:create'] })
  })
})

it('ignores permissions reserved for people, even on an existing key', async () => {
  const { activeWorkspaceId: workspaceId } = await userOf(owner)
  const key = await putKey(heddle, { workspaceId, permissions: ['workspace:view', 'users:manage', 'variables:view'] })
  expect((await withKey(key, '/api/v1/variables')).status).toBe(200)
  expect((await withKey(key, '/api/v1/workspace/run-limits')).status).toBe(403)
  const row = (await list()).find(({ keyHint }) => keyHint === key.slice(-4))
  expect(row).toMatchObject({ permissions: ['variables:view'] })
})

it('limits a key to its own permissions in open source', async () => {
  const open = await startTestHeddle()
  try {
    const admin = await open.signUp()
    const response = await create(admin, { keyName: 'x', permissions: ['chatflows:view'] })
    const { apiKey } = (await response.json()) as NewKey
    const asked = await open.fetch('/api/v1/apikey', { headers: { authorization: `Bearer ${apiKey}` } })
    expect(asked.status).toBe(403)
  } finally {
    await open.close()
  }
})
