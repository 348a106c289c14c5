import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ComponentDefinition } from '#contract/flow/definition.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing.ts'

let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle()
  ann = await heddle.signUp()
})
afterAll(() => heddle.close())

const get = (path: string, headers: Record<string, string> = {}) => ann.fetch(`/api/v1${path}`, { headers })

describe('the catalogue', () => {
  it('holds node types, chat models and tools, each name once', async () => {
    const all = (await (await get('/nodes')).json()) as ComponentDefinition[]
    const names = all.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['startAgentflow', 'llmAgentflow', 'chatOpenAI']))
    expect(new Set(names).size).toBe(names.length)
    const models = (await (await get('/nodes/category/Chat%20Models')).json()) as ComponentDefinition[]
    expect(models).toEqual(all.filter(({ category }) => category === 'Chat Models'))
    expect(models.length).toBeGreaterThan(3)
  })

  it('is not sent twice', async () => {
    const first = await get('/nodes')
    const etag = first.headers.get('etag') ?? ''
    const second = await get('/nodes', { 'if-none-match': etag })
    expect([second.status, await second.text()]).toEqual([304, ''])
    expect(second.headers.get('etag')).toBe(etag)
    expect((await get('/nodes', { 'if-none-match': 'W/"older"' })).status).toBe(200)
  })

  it('gives one definition by name', async () => {
    expect(await (await get('/nodes/startAgentflow')).json()).toMatchObject({ name: 'startAgentflow', label: 'Start' })
    expect((await get('/nodes/constructor')).status).toBe(404)
  })

  it('is for members only', async () => {
    expect((await heddle.fetch('/api/v1/nodes')).status).toBe(401)
  })
})

describe('load methods', () => {
  const load = async (loadMethod: string, previousNodes: object[] = []) => {
    const json = { loadMethod, previousNodes, inputs: { anything: 'else' } }
    return (await ann.fetch('/api/v1/node-load-method/llmAgentflow', { method: 'POST', json })).json()
  }

  it('offer models, tools, state keys and earlier nodes', async () => {
    const start = {
      id: 'startAgentflow_0',
      name: 'startAgentflow',
      label: 'Start',
      inputs: { startState: [{ key: 'mood', value: 'x' }, { value: 'no key' }, null] },
    }
    const names = async (method: string) => (await load(method)).map((option: { name: string }) => option.name)
    expect(await names('listModels')).toContain('chatOpenAI')
    expect(await names('listTools')).toContain('calculator')
    expect(await load('listRuntimeStateKeys', [start])).toEqual([{ label: 'mood', name: 'mood' }])
    expect(await load('listPreviousNodes', [start])).toEqual([
      { label: 'Start', name: 'startAgentflow_0-Start', description: 'startAgentflow_0' },
    ])
  })

  it('that are not known offer nothing', async () => {
    expect(await load('listSecrets')).toEqual([])
    expect(await load('constructor')).toEqual([])
  })
})
