// @defends body-sets-columns
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

const start = {
  id: 'startAgentflow_0',
  type: 'agentFlow',
  position: { x: 0, y: 0 },
  data: {
    id: 'startAgentflow_0',
    name: 'startAgentflow',
    label: 'Start',
    inputs: { startInputType: 'formInput', formTitle: 'Hello', startState: [{ key: 'secretPlan', value: 'x' }] },
  },
}
const flowData = JSON.stringify({ nodes: [start], edges: [], someUnknownKey: [1] })

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())

async function create(client: TestClient, more: object = {}): Promise<Chatflow> {
  const { status, body } = await call(client, 'POST', '/chatflows', {
    name: 'One',
    flowData,
    type: 'AGENTFLOW',
    callers: 'everyone',
    ...more,
  })
  expect(status).toBe(200)
  return body
}

it('stores a flow exactly as sent', async () => {
  const made = await create(ann)
  expect(made).toMatchObject({ name: 'One', flowData, type: 'AGENTFLOW', version: 1 })
  expect((await call(ann, 'GET', `/chatflows/${made.id}`)).body).toEqual(made)
  const renamed = await call(ann, 'PUT', `/chatflows/${made.id}`, { name: 'Two' })
  expect(renamed.body).toMatchObject({ name: 'Two', flowData, version: 2 })
  expect((await call(ann, 'DELETE', `/chatflows/${made.id}`)).body).toEqual({ raw: [], affected: 1 })
  expect((await call(ann, 'GET', `/chatflows/${made.id}`)).status).toBe(404)
})

it.each(['/chatflows', '/chatflows-list'])('%s sorts by latest update, filters, pages and searches', async (path) => {
  const owner = await heddle.signUp()
  for (const name of ['alpha', 'beta 100%', 'gamma']) await create(owner, { name })
  await create(owner, { name: 'an older flow', type: 'MULTIAGENT' })
  const names = async (query: string) => {
    const { body } = await call(owner, 'GET', `${path}${query}`)
    return (Array.isArray(body) ? body : body.data).map((flow: Chatflow) => flow.name)
  }
  expect(await names('')).toEqual(['an older flow', 'gamma', 'beta 100%', 'alpha'])
  expect(await names('?runnable=true')).toEqual(['gamma', 'beta 100%', 'alpha'])
  expect(await names('?runnable=false')).toEqual(['an older flow'])
  expect((await call(owner, 'GET', `${path}?runnable=maybe`)).body.field).toBe('runnable')
  expect(await names('?type=AGENTFLOW')).toEqual(['gamma', 'beta 100%', 'alpha'])
  expect(await names('?type=AGENTFLOW&page=2&limit=2')).toEqual(['alpha'])
  expect(await names('?search=100%25')).toEqual(['beta 100%'])
  expect(await names('?search=%25')).toEqual(['beta 100%'])
  expect((await call(owner, 'GET', `${path}?page=1&limit=2`)).body.total).toBe(4)
  expect(await names('?search=a&limit=2&page=1')).toEqual(['an older flow', 'gamma'])
  expect(await names('?search=a&limit=2&page=2')).toEqual(['beta 100%', 'alpha'])
  for (const page of [1, 2, 3])
    expect((await call(owner, 'GET', `${path}?search=a&limit=2&page=${page}`)).body.total).toBe(4)
  expect(await names('?search=a&limit=2&page=3')).toEqual([])
  expect((await call(owner, 'GET', `${path}?page=0`)).status).toBe(400)
})

it('lists what cards show of the draft, and no documents', async () => {
  const owner = await heddle.signUp()
  const draw = (...colors: string[]) =>
    JSON.stringify({
      nodes: colors.map((color) => ({ ...start, id: color, data: { ...start.data, color } })),
      edges: [],
    })
  const { id, name, type, createdDate, updatedDate } = await create(owner, {
    flowData: draw('#111'),
    chatbotConfig: JSON.stringify({ title: 'Not in lists' }),
  })
  const listed = async () => (await call(owner, 'GET', '/chatflows-list')).body
  const item = { id, name, type, category: null, createdDate, updatedDate, nodes: 1, colors: ['#111'] }
  expect(await listed()).toEqual({ data: [item], total: 1 })
  await call(owner, 'PUT', `/chatflows/${id}`, { name: 'Renamed' })
  expect((await listed()).data).toMatchObject([{ name: 'Renamed', nodes: 1 }])
  const { body: saved } = await call(owner, 'PUT', `/chatflows/${id}`, { flowData: draw('#222', '#333') })
  expect((await listed()).data).toMatchObject([{ nodes: 2, colors: ['#222', '#333'] }])
  expect(saved).not.toHaveProperty('summary')
  await call(owner, 'DELETE', `/chatflows/${id}`)
  expect(await listed()).toEqual({ data: [], total: 0 })
})

describe('optimistic locking', () => {
  it('refuses to save over a newer version and names the current one', async () => {
    const made = await create(ann)
    const saved = await call(ann, 'PUT', `/chatflows/${made.id}`, { name: 'First tab', version: 1 })
    expect(saved.body.version).toBe(2)
    const late = await call(ann, 'PUT', `/chatflows/${made.id}`, { name: 'Second tab', version: 1 })
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({ currentVersion: 2, updatedDate: saved.body.updatedDate })
    expect((await call(ann, 'GET', `/chatflows/${made.id}`)).body.name).toBe('First tab')
  })

  it('accepts exactly one of many saves of the same version', async () => {
    const made = await create(ann)
    const saves = await Promise.all(
      Array.from({ length: 8 }, (_, i) => call(ann, 'PUT', `/chatflows/${made.id}`, { name: `Tab ${i}`, version: 1 })),
    )
    expect(saves.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  })

  it('checks whether a flow changed since a date', async () => {
    const made = await create(ann)
    const path = `/chatflows/has-changed/${made.id}`
    expect((await call(ann, 'GET', `${path}/${made.updatedDate}`)).body).toEqual({ hasChanged: false })
    expect((await call(ann, 'GET', `${path}/2020-01-01T00:00:00.000Z`)).body).toEqual({ hasChanged: true })
    expect((await call(ann, 'GET', `${path}/yesterday`)).status).toBe(400)
  })
})

describe('invalid input changes nothing and names the field', () => {
  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ flowData: '{' }, 'flowData'],
    [{ flowData: { nodes: [], edges: [] } }, 'flowData'],
    [{ flowData: '{"nodes":[]}' }, 'flowData.edges'],
    [
      { flowData: JSON.stringify({ nodes: [{ ...start, data: { id: 'x' } }], edges: [] }) },
      'flowData.nodes.0.data.name',
    ],
    [{ flowData: JSON.stringify({ nodes: [start, start], edges: [] }) }, 'flowData.nodes.1.id'],
    [{ apiConfig: 'not json' }, 'apiConfig'],
    [{ chatbotConfig: '[]' }, 'chatbotConfig'],
    [{ name: 'a\0b' }, 'name'],
    [{ apikeyid: 'nobody-has-this' }, 'apikeyid'],
    [{ isPublic: 'yes' }, 'isPublic'],
  ])('returns 400 with the field and changes nothing for %j', async (bad, field) => {
    const made = await create(ann)
    const refused = await call(ann, 'PUT', `/chatflows/${made.id}`, bad)
    expect(refused.status).toBe(400)
    expect(refused.body.field).toBe(field)
    expect((await call(ann, 'GET', `/chatflows/${made.id}`)).body).toEqual(made)
  })

  it('refuses a config of more than 500 KB', async () => {
    const made = await create(ann)
    const analytic = JSON.stringify({ note: 'ü'.repeat(250_000) })
    const refused = await call(ann, 'PUT', `/chatflows/${made.id}`, { analytic })
    expect([refused.status, refused.body.field, refused.body.message]).toEqual([
      ...[400, 'analytic', 'analytic: This may have at most 500 KB'],
    ])
    expect((await call(ann, 'GET', `/chatflows/${made.id}`)).body).toEqual(made)
  })

  it('refuses a missing, unknown or changed type', async () => {
    expect((await call(ann, 'POST', '/chatflows', { name: 'x', flowData })).body.field).toBe('type')
    expect((await call(ann, 'POST', '/chatflows', { name: 'x', flowData, type: 'OTHER' })).body.field).toBe('type')
    const made = await create(ann)
    expect((await call(ann, 'PUT', `/chatflows/${made.id}`, { type: 'CHATFLOW' })).body.field).toBe('type')
  })
})

it('accepts flows larger than the general body limit', async () => {
  const note = {
    ...start,
    id: 'note_0',
    data: { id: 'note_0', name: 'stickyNoteAgentflow', inputs: { note: 'x'.repeat(3e6) } },
  }
  const made = await create(ann, { flowData: JSON.stringify({ nodes: [start, note], edges: [] }) })
  expect((await call(ann, 'GET', `/chatflows/${made.id}`)).body.flowData.length).toBeGreaterThan(3e6)
})

it('ignores columns that only the server sets', async () => {
  const other = await create(bob)
  const made = await create(ann, { id: 'mine', workspaceId: other.workspaceId, version: 77, createdDate: '1999-01-01' })
  expect(made.id).not.toBe('mine')
  expect(made.workspaceId).not.toBe(other.workspaceId)
  expect(made.version).toBe(1)
  const changed = await call(ann, 'PUT', `/chatflows/${made.id}`, {
    id: crypto.randomUUID(),
    workspaceId: other.workspaceId,
    createdDate: '1999-01-01',
    updatedDate: '1999-01-01',
  })
  expect(changed.body).toMatchObject({ id: made.id, workspaceId: made.workspaceId, createdDate: made.createdDate })
  expect(changed.body.updatedDate > '2000').toBe(true)
})

it('hides flows from other workspaces', async () => {
  const made = await create(ann)
  expect((await call(bob, 'GET', `/chatflows/${made.id}`)).status).toBe(404)
  expect((await call(bob, 'PUT', `/chatflows/${made.id}`, { name: 'stolen' })).status).toBe(404)
  expect((await call(bob, 'DELETE', `/chatflows/${made.id}`)).status).toBe(404)
  expect((await call(bob, 'GET', `/chatflows/has-changed/${made.id}/${made.updatedDate}`)).status).toBe(404)
  const list: Chatflow[] = (await call(bob, 'GET', '/chatflows')).body
  expect(list.map((flow) => flow.id)).not.toContain(made.id)
  expect((await call(ann, 'GET', `/chatflows/${made.id}`)).body).toEqual(made)
})

describe('permissions by flow type', () => {
  async function keyWith(permissions: string[]) {
    const { body } = await call(ann, 'POST', '/apikey', { keyName: permissions.join(), permissions })
    const headers = { authorization: `Bearer ${body.apiKey}` }
    return async (method: string, path: string, json?: unknown) => {
      const init = { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) }
      return heddle.fetch(`/api/v1${path}`, init)
    }
  }

  it('requires agentflows:* for agent flows and chatflows:* for other flows', async () => {
    const agentflow = await create(ann)
    const chatflow = await create(ann, { type: 'CHATFLOW' })
    const key = await keyWith(['chatflows:view', 'chatflows:update', 'chatflows:create', 'chatflows:delete'])
    expect((await key('GET', `/chatflows/${chatflow.id}`)).status).toBe(200)
    expect((await key('GET', `/chatflows/${agentflow.id}`)).status).toBe(403)
    expect((await key('PUT', `/chatflows/${agentflow.id}`, { name: 'x' })).status).toBe(403)
    expect((await key('DELETE', `/chatflows/${agentflow.id}`)).status).toBe(403)
    expect((await key('POST', '/chatflows', { name: 'x', flowData, type: 'AGENTFLOW' })).status).toBe(403)
    expect((await key('PUT', `/chatflows/${chatflow.id}`, { name: 'x' })).status).toBe(200)
    const list = (await (await key('GET', '/chatflows')).json()) as Chatflow[]
    expect(list.every((flow) => flow.type === 'CHATFLOW')).toBe(true)
    expect((await call(ann, 'GET', `/chatflows/${agentflow.id}`)).body).toEqual(agentflow)
  })

  it('refuses changes by a key with view permission only', async () => {
    const made = await create(ann)
    const key = await keyWith(['agentflows:view'])
    expect((await key('GET', `/chatflows/${made.id}`)).status).toBe(200)
    expect((await key('PUT', `/chatflows/${made.id}`, { name: 'x' })).status).toBe(403)
    expect((await key('DELETE', `/chatflows/${made.id}`)).status).toBe(403)
  })
})

it('lists flows whose data is more than the database answers at once', async () => {
  const cat = await heddle.signUp()
  const note = 'n'.repeat(900_000)
  const names = Array.from({ length: 13 }, (_, index) => `Large ${index}`)
  const large = JSON.stringify({ ...JSON.parse(flowData), note })
  for (const name of names) await create(cat, { name, flowData: large })
  const whole: Chatflow[] = (await call(cat, 'GET', '/chatflows')).body
  expect(whole.map(({ name }) => name)).toEqual(names.toReversed())
  expect(whole.every((flow) => flow.flowData.includes(note))).toBe(true)
  const { body: page } = await call(cat, 'GET', '/chatflows?page=1&limit=12')
  expect(page).toEqual({ data: whole.slice(0, 12), total: 13 })
  const { body: found } = await call(cat, 'GET', '/chatflows?page=2&limit=5&search=large')
  expect(found).toEqual({ data: whole.slice(5, 10), total: 13 })
  expect(heddle.longestAnswer()).toBeLessThan(8_000_000)
})

it('lists the problems of a flow', async () => {
  const made = await create(ann, { flowData: JSON.stringify({ nodes: [], edges: [] }) })
  const { body } = await call(ann, 'GET', `/validation/${made.id}`)
  expect(body).toEqual([{ id: '', label: 'Flow', name: '', issues: ['Add a Start node'] }])
  expect((await call(bob, 'GET', `/validation/${made.id}`)).status).toBe(404)
})

it('lists the inputs that callers may override', async () => {
  const made = await create(ann)
  const { body } = await call(ann, 'GET', `/flow-config/${made.id}`)
  expect(body).toContainEqual({
    node: 'Start',
    nodeId: 'startAgentflow_0',
    label: 'Form title',
    name: 'formTitle',
    type: 'string',
  })
  expect(body).toContainEqual(
    expect.objectContaining({ name: 'startState', type: 'array', schema: expect.objectContaining({ key: 'string' }) }),
  )
  const names = body.map(({ name }: { name: string }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect((await call(bob, 'GET', `/flow-config/${made.id}`)).status).toBe(404)
})

describe('public information about a flow', () => {
  it('tells which uploads a flow accepts', async () => {
    const made = await create(ann)
    const uploads = await heddle.fetch(`/api/v1/chatflows-uploads/${made.id}`)
    expect(await uploads.json()).toMatchObject({ isImageUploadAllowed: false, imgUploadSizeAndTypes: [] })
    expect((await heddle.fetch(`/api/v1/chatflows-uploads/${crypto.randomUUID()}`)).status).toBe(401)
  })

  it('tells everybody whether a flow streams, also one that they may not call or that does not exist', async () => {
    const agentflow = await create(ann)
    const [chatflow, older] = await Promise.all([
      create(ann, { type: 'CHATFLOW' }),
      create(ann, { type: 'MULTIAGENT' }),
    ])
    const streaming = async (id: string) => (await heddle.fetch(`/api/v1/chatflows-streaming/${id}`)).json()
    expect(await streaming(agentflow.id)).toEqual({ isStreaming: true })
    expect(await streaming(chatflow.id)).toEqual({ isStreaming: true })
    expect(await streaming(older.id)).toEqual({ isStreaming: false })
    expect(await streaming(crypto.randomUUID())).toEqual({ isStreaming: true })
  })

  it('shows the chat settings and start form, but no state or allowed origins', async () => {
    const chatbotConfig = JSON.stringify({
      title: 'Hi',
      allowedOrigins: ['a.example'],
      allowedOriginsError: 'no',
      postProcessing: { enabled: false, customFunction: 'return "unseen code"' },
      followUpPrompts: { status: true, prompt: 'unseen prompt' },
      internalNote: 'unseen note',
    })
    const made = await create(ann, { chatbotConfig })
    const config = await (await heddle.fetch(`/api/v1/public-chatbotConfig/${made.id}`)).text()
    expect(JSON.parse(config)).toMatchObject({ title: 'Hi', isTTSEnabled: false })
    expect(JSON.parse(JSON.parse(config).flowData).nodes[0].data.inputs.formTitle).toBe('Hello')
    expect(config).not.toContain('a.example')
    expect(config).not.toContain('unseen')
    expect(config).not.toContain('secretPlan')
  })

  it('shows a whole flow only while it is shared', async () => {
    const made = await create(ann)
    const path = `/api/v1/public-chatflows/${made.id}`
    expect((await heddle.fetch(path)).status).toBe(404)
    await call(ann, 'PUT', `/chatflows/${made.id}`, { isPublic: true })
    const shared = await (await heddle.fetch(path)).json()
    expect(shared).toMatchObject({ id: made.id, name: 'One' })
    expect(shared).not.toHaveProperty('workspaceId')
    await call(ann, 'PUT', `/chatflows/${made.id}`, { isPublic: false })
    expect((await heddle.fetch(path)).status).toBe(404)
  })
})
