/** A made-up kind of flow, added with one line in each list that docs/contributing/adding-things.md names, in the real worker. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawGarden } from '#contract/flow/kinds/testing/garden/draw.ts'
import { joinWorkspace } from '../http/testing/people.ts'
import { build } from '../local/build/vite-build.ts'
import { call } from '../local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '../local/testing/heddle.ts'
import { madeUpKind } from '../local/testing/made-up-kind.ts'

const flowData = JSON.stringify(drawGarden())
const EMPTY = { nodes: [], edges: [] }

let dist: string
let heddle: TestHeddle
let ann: TestClient
let id: string

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'heddle-made-up-kind-'))
  await build('worker', { dist, plugins: [madeUpKind] })
  heddle = await startTestHeddle({ dist, platformType: 'cloud' })
  ann = await heddle.signUp()
  id = await save(ann, { name: 'Roses', type: 'GARDEN', flowData })
})
afterAll(async () => {
  await heddle.close()
  rmSync(dist, { recursive: true })
})

async function save(client: TestClient, flow: object): Promise<string> {
  const { status, text, body } = await call(client, 'POST', '/chatflows', flow)
  expect([status, text]).toEqual([200, expect.any(String)])
  return body.id
}

describe('a kind of flow that was added with a line in each list', () => {
  it('is saved, read and listed, and its flows run', async () => {
    expect((await call(ann, 'GET', `/chatflows/${id}`)).body).toMatchObject({ type: 'GARDEN', flowData })
    expect((await call(ann, 'GET', '/chatflows?type=GARDEN')).body).toMatchObject([{ id }])
    expect((await call(ann, 'GET', '/nodes/vase')).body).toMatchObject({ name: 'vase' })
    const answer = await call(ann, 'POST', `/internal-prediction/${id}`, { question: 'cold' })
    expect(answer).toMatchObject({ status: 200, body: { text: expect.stringMatching(/^A vase of .* on cold water$/) } })
  })

  it('is guarded by the permissions of its area', async () => {
    const member = await heddle.signUp()
    const { setPermissions } = await joinWorkspace(heddle, member, ann)
    const own = await save(ann, { name: 'Guarded', type: 'GARDEN', flowData })
    const calls = [
      ['view', 'GET', `/chatflows/${own}`],
      ['view', 'POST', `/internal-prediction/${own}`, { question: 'cold' }],
      ['view', 'GET', `/chatmessage/${own}`],
      ['view', 'GET', `/chatflows/${own}/versions`],
      ['update', 'PUT', `/chatflows/${own}`, { name: 'Guarded well' }],
      ['create', 'POST', '/chatflows', { name: 'Another', type: 'GARDEN', flowData }],
      ['delete', 'DELETE', `/chatflows/${own}`],
    ] as const
    for (const [verb, method, path, body] of calls) {
      await setPermissions([`chatflows:${verb}`, `assistants:${verb}`])
      expect((await call(member, method, path, body)).status, `${method} ${path} without`).toBe(403)
      await setPermissions([`agentflows:${verb}`])
      expect((await call(member, method, path, body)).status, `${method} ${path} with`).toBe(200)
    }
  })

  it('shares a list of an export with another kind, and comes back as what it was', async () => {
    const source = await heddle.signUp()
    await save(source, { name: 'Roses', type: 'GARDEN', flowData })
    const exported = (await call(source, 'POST', '/export-import/export', { agentflowv2: true })).body
    expect(exported.AgentFlowV2).toMatchObject([{ name: 'Roses', type: 'GARDEN' }])
    const untyped = { id: crypto.randomUUID(), name: 'From Flowise', flowData: JSON.stringify(EMPTY) }
    const bundle = { AgentFlowV2: [...exported.AgentFlowV2, untyped] }
    const guest = await heddle.signUp()
    const { status, body } = await call(guest, 'POST', '/export-import/import', bundle)
    expect([status, body.report.flows.map(({ name, type }: Named) => [name, type])]).toEqual([
      200,
      [
        ['Roses', 'GARDEN'],
        ['From Flowise', 'AGENTFLOW'],
      ],
    ])
    const flows = (await call(guest, 'GET', '/chatflows')).body as Named[]
    expect(flows.map(({ name, type }) => [name, type]).toSorted()).toEqual([
      ['From Flowise', 'AGENTFLOW'],
      ['Roses', 'GARDEN'],
    ])
    const again = (await call(guest, 'POST', '/export-import/export', { agentflowv2: true })).body
    const rose = again.AgentFlowV2.find(({ name }: Named) => name === 'Roses')
    expect(JSON.parse(rose.flowData)).toEqual(JSON.parse(exported.AgentFlowV2[0].flowData))
  })

  it('is not replaced by a flow of another kind in the same list', async () => {
    const item = { id, name: 'Roses', type: 'AGENTFLOW', flowData: JSON.stringify(EMPTY) }
    const { body } = await call(ann, 'POST', '/export-import/import?dryRun=true', { AgentFlowV2: [item] })
    expect(body.report.items).toMatchObject([{ type: 'AGENTFLOW', found: 'different', choices: ['new', 'skip'] }])
  })

  it('is found by the search and shown on the home page', async () => {
    const { body } = await call(ann, 'GET', '/search?q=roses')
    expect(body.data).toContainEqual(expect.objectContaining({ kind: 'flow', type: 'GARDEN', id, title: 'Roses' }))
    const home = (await call(ann, 'GET', '/home')).body
    expect(home.flows).toContainEqual(expect.objectContaining({ id, type: 'GARDEN' }))
  })

  it('has templates under its own name, built in and saved', async () => {
    const template = { name: 'Rose bed', type: 'Garden', chatflowId: id }
    expect((await call(ann, 'POST', '/marketplaces/custom', { ...template, type: 'AgentflowV2' })).body).toMatchObject({
      field: 'type',
    })
    expect((await call(ann, 'POST', '/marketplaces/custom', template)).status).toBe(200)
    const shape = { type: 'Garden', framework: ['Gardening'] }
    const gallery = (await call(ann, 'GET', '/marketplaces/gallery')).body.data
    for (const templateName of ['First garden', 'Rose bed'])
      expect(gallery).toContainEqual(expect.objectContaining({ templateName, ...shape }))
    const builtIn = (await call(ann, 'GET', '/marketplaces/templates')).body
    expect(builtIn).toContainEqual(expect.objectContaining({ id: 'first-garden', ...shape }))
    expect((await call(ann, 'GET', '/marketplaces/custom')).body).toMatchObject([{ name: 'Rose bed', ...shape }])
  })

  it('is started by triggers, for those who may change it', async () => {
    const member = await heddle.signUp()
    const { setPermissions } = await joinWorkspace(heddle, member, ann)
    const settings = { kind: 'schedule', cron: '0 9 * * *', input: { mode: 'text', text: 'cold' } }
    const trigger = { flowId: id, name: 'Every morning', settings }
    await setPermissions(['chatflows:update'])
    expect((await call(member, 'POST', '/triggers', trigger)).status).toBe(403)
    await setPermissions(['agentflows:update'])
    const made = await call(member, 'POST', '/triggers', trigger)
    expect(made.body).toMatchObject({ flow: { id, type: 'GARDEN' } })
    expect((await call(member, 'GET', `/chatflows/${id}/schedule/status`)).body).toMatchObject({ enabled: false })
    await setPermissions(['chatflows:view', 'chatflows:update'])
    expect((await call(member, 'GET', `/chatflows/${id}/schedule/status`)).status).toBe(403)
    expect((await call(member, 'GET', `/triggers/${made.body.id}`)).status).toBe(403)
  })

  it('is named where an asset is used', async () => {
    const user = await save(ann, {
      name: 'Watered',
      type: 'GARDEN',
      flowData: JSON.stringify(drawGarden('{{$vars.seeds}}')),
    })
    expect((await call(ann, 'GET', '/usages?kind=variable&asset=seeds')).body).toEqual({
      data: [{ kind: 'flow', id: user, name: 'Watered', type: 'GARDEN' }],
      total: 1,
    })
  })

  it('keeps what was said to it, and its runs name its type and version', async () => {
    const own = await save(ann, { name: 'Talking', type: 'GARDEN', flowData })
    const { executionId } = (await call(ann, 'POST', `/internal-prediction/${own}`, { question: 'cold' })).body
    const messages = (await call(ann, 'GET', `/chatmessage/${own}`)).body as { content: string }[]
    expect(messages.map(({ content }) => content)).toEqual(['cold', expect.stringContaining('on cold water')])
    const run = (await call(ann, 'GET', `/executions/${executionId}`)).body
    expect(run).toMatchObject({ flowVersion: 1, agentflow: { id: own, type: 'GARDEN' } })
  })

  it('answers callers as its facts say: without its steps', async () => {
    const own = await save(ann, { name: 'Open', type: 'GARDEN', flowData, callers: 'everyone' })
    const anonymous = heddle.newClient()
    const { status, body } = await call(anonymous, 'POST', `/prediction/${own}`, { question: 'cold' })
    expect([status, body.text]).toEqual([200, expect.stringContaining('on cold water')])
    expect(body).not.toHaveProperty('agentFlowExecutedData')
    const shown = await call(ann, 'POST', `/internal-prediction/${own}`, { question: 'cold' })
    expect(shown.body).toHaveProperty('agentFlowExecutedData')
  })
})

interface Named {
  name: string
  type: string
}

it('refuses a type without such lines', async () => {
  const { status, body } = await call(ann, 'POST', '/chatflows', {
    name: 'x',
    type: 'MEADOW',
    flowData: '{"nodes":[],"edges":[]}',
  })
  expect([status, body.field]).toEqual([400, 'type'])
})
