// @defends api-key-reaches
// @defends expired-api-key
// @defends api-key-only
import { eq } from 'drizzle-orm'
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

describe('the life of a key', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const keyUntil = async (expiresDate: string | null) =>
    (await (await create(owner, { keyName: 'Short', permissions: ['apikeys:view'], expiresDate })).json()) as NewKey
  const expire = (id: string) =>
    heddle.database.update(apikeys).set({ expiresDate: '2026-01-02T03:04:05.000Z' }).where(eq(apikeys.id, id))
  const rowOf = async (id: string) => (await list()).find((key) => key.id === id)

  it('ends on its date, with an error that says so', async () => {
    const expiresDate = inDays(30)
    const { id, apiKey } = await keyUntil(expiresDate)
    expect(await rowOf(id)).toMatchObject({ expiresDate })
    expect((await withKey(apiKey, '/api/v1/apikey')).status).toBe(200)
    await expire(id)
    for (const path of ['/api/v1/apikey', `/api/v1/verify/apikey/${apiKey}`, `/api/v1/chatflows/apikey/${apiKey}`]) {
      const refused = await withKey(apiKey, path)
      expect(refused.status).toBe(401)
      expect((await refused.json()).message).toContain('This API key expired on 2026-01-02')
    }
    await owner.fetch(`/api/v1/apikey/${id}`, { method: 'PUT', json: { keyName: 'Longer' } })
    expect((await withKey(apiKey, '/api/v1/apikey')).status).toBe(401)
    await owner.fetch(`/api/v1/apikey/${id}`, { method: 'PUT', json: { expiresDate: null } })
    expect((await withKey(apiKey, '/api/v1/apikey')).status).toBe(200)
  })

  it.each([inDays(-1), 'tomorrow', 5])('refuses the expiry %j', async (expiresDate) => {
    const response = await create(owner, { keyName: 'x', permissions: ['apikeys:view'], expiresDate })
    expect(response.status).toBe(400)
    expect((await response.json()).field).toBe('expiresDate')
  })

  it('refuses an expired key where a flow asks for one, and answers without it where a flow does not', async () => {
    const nodes = [
      {
        id: 'startAgentflow_0',
        type: 'agentFlow',
        position: { x: 0, y: 0 },
        data: {
          id: 'startAgentflow_0',
          name: 'startAgentflow',
          label: 'Start',
          inputs: { startInputType: 'chatInput' },
        },
      },
    ]
    const save = async (callers: string) => {
      const json = { name: 'Called', type: 'AGENTFLOW', callers, flowData: JSON.stringify({ nodes, edges: [] }) }
      return ((await (await owner.fetch('/api/v1/chatflows', { method: 'POST', json })).json()) as { id: string }).id
    }
    const made = await create(owner, { keyName: 'Runs', permissions: ['agentflows:view'] })
    const { id, apiKey } = (await made.json()) as NewKey
    const ask = async (flowId: string) => {
      const response = await withKey(apiKey, `/api/v1/prediction/${flowId}`, {
        method: 'POST',
        json: { question: 'q' },
      })
      return { status: response.status, body: await response.json() }
    }
    const [forKeys, forAll] = [await save('keys'), await save('everyone')]
    expect((await ask(forKeys)).status).toBe(200)
    const traceOf = ({ body }: { body: { agentFlowExecutedData: unknown } }) =>
      JSON.stringify(body.agentFlowExecutedData)
    expect(traceOf(await ask(forAll))).toContain('"q"')
    await expire(id)
    const refused = await ask(forKeys)
    expect(refused).toMatchObject({ status: 401, body: { message: expect.stringContaining('expired on 2026-01-02') } })
    const answered = await ask(forAll)
    expect(answered.status).toBe(200)
    expect(traceOf(answered)).not.toContain('"q"')
  })

  it('shows the hour of its last use, which is written once in an hour', async () => {
    const { id, apiKey } = await keyUntil(null)
    expect(await rowOf(id)).toMatchObject({ expiresDate: null, lastUsedDate: null })
    await withKey(apiKey, '/api/v1/apikey')
    await expect.poll(async () => (await rowOf(id))?.lastUsedDate).toMatch(/:00:00\.000Z$/)
    const before = heddle.roundTrips()
    await withKey(apiKey, '/api/v1/apikey')
    // One trip: the key and the list are read together, and nothing is written.
    expect(heddle.roundTrips() - before).toBe(1)
    await heddle.database.update(apikeys).set({ lastUsedDate: '2026-01-01T00:00:00.000Z' }).where(eq(apikeys.id, id))
    await withKey(apiKey, '/api/v1/apikey')
    await expect.poll(async () => (await rowOf(id))?.lastUsedDate).not.toBe('2026-01-01T00:00:00.000Z')
  })
})
