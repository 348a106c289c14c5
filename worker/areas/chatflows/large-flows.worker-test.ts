/** Flows of the size that the product promises, on a database that refuses rows of more than 5 MB. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as z from 'zod'
import { type Chatflow, MAX_FLOW_BYTES } from '#contract/chatflows/chatflows.ts'
import type { FlowList } from '#contract/chatflows/flow-summary.ts'
import type { exportAnswerSchema } from '#contract/export-import/export-import.ts'
import type { Home } from '#contract/home/home.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

type ExportAnswer = z.infer<typeof exportAnswerSchema>

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

/** A document of almost 8 MB, half of it characters that JSON in JSON doubles. */
function largeFlow(text: string): string {
  const note = `${text} ${'"\n'.repeat(MAX_FLOW_BYTES / 8)}`
  const flow = { ...chain(start(), directReply(text)), note }
  const rest = MAX_FLOW_BYTES - JSON.stringify({ ...flow, rest: '' }).length - 100
  return JSON.stringify({ ...flow, rest: 'x'.repeat(rest) })
}

const save = async (text: string): Promise<Chatflow> => {
  const body = { name: text, flowData: largeFlow(text), type: 'AGENTFLOW', callers: 'everyone' }
  const saved = await scene.call<Chatflow>('POST', '/chatflows', body)
  expect(saved.status).toBe(200)
  return saved.body
}

const said = async (id: string) => (await scene.ask(id, { question: 'hi' })).body.text

it('is saved, opened, published, run, restored and copied', { timeout: 120_000 }, async () => {
  const { id, version, flowData } = await save('first')
  expect(flowData.length).toBeGreaterThan(7.9 * 1024 ** 2)
  expect((await scene.call<Chatflow>('GET', `/chatflows/${id}`)).body.flowData === flowData).toBe(true)
  expect((await scene.call('POST', `/chatflows/${id}/publish`)).status).toBe(200)
  const change = { flowData: largeFlow('second'), version }
  expect((await scene.call('PUT', `/chatflows/${id}`, change)).status).toBe(200)
  expect(await said(id)).toBe('first')
  const { body: versions } = await scene.call<{ data: { version: number }[] }>('GET', `/chatflows/${id}/versions`)
  expect(versions.data).toHaveLength(2)
  const oldest = versions.data.at(-1)?.version
  const { body: old } = await scene.call<Chatflow>('GET', `/chatflows/${id}/versions/${oldest}`)
  expect(old.flowData === flowData).toBe(true)
  expect((await scene.call('POST', `/chatflows/${id}/publish`, { version: versions.data[0]?.version })).status).toBe(
    200,
  )
  expect(await said(id)).toBe('second')
  const template = { name: 'Large', type: 'AgentflowV2', chatflowId: id }
  const { status, body: made } = await scene.call<{ id: string }>('POST', '/marketplaces/custom', template)
  expect(status).toBe(200)
  const { body: opened } = await scene.call<{ flowData: string }>('GET', `/marketplaces/gallery/${made.id}`)
  expect(opened.flowData.length).toBeGreaterThan(5_000_000)
  for (const path of ['/marketplaces/custom', '/marketplaces/gallery', '/home', '/executions'])
    expect([path, (await scene.call('GET', path)).status]).toEqual([path, 200])
})

it('are listed, exported and imported', { timeout: 240_000 }, async () => {
  for (const name of ['a', 'b', 'c']) await save(name)
  const { body: page } = await scene.call<{ data: Chatflow[] }>('GET', '/chatflows?page=1&limit=3')
  expect(page.data.map(({ name, flowData }) => [name, JSON.parse(flowData).note[0]])).toEqual([
    ['c', 'c'],
    ['b', 'b'],
    ['a', 'a'],
  ])
  const { body: list } = await scene.call<FlowList>('GET', '/chatflows-list?limit=3')
  expect(list.data.map(({ name, nodes }) => [name, nodes])).toEqual(page.data.map(({ name }) => [name, 2]))
  expect(JSON.stringify(list).length).toBeLessThan(3 * 1024)
  const { body: home } = await scene.call<Home>('GET', '/home')
  expect(home.flows.slice(0, 3).map(({ sketch }) => sketch.nodes.map(({ name }) => name))).toEqual(
    page.data.map(() => ['startAgentflow', 'directReplyAgentflow']),
  )
  const { body: bundle } = await scene.call<ExportAnswer>('POST', '/export-import/export', { agentflowv2: true })
  const exported = bundle.AgentFlowV2.find(({ name }) => name === 'b')
  expect(JSON.parse(String(exported?.flowData)).nodes).toHaveLength(2)
  const bob = await scene.heddle.signUp()
  const imported = await scene.call('POST', '/export-import/import', { AgentFlowV2: [exported] }, bob)
  expect(imported.status).toBe(200)
  const { body: flows } = await scene.call<Chatflow[]>('GET', '/chatflows', undefined, bob)
  expect(flows.map(({ name, flowData }) => [name, flowData.length > 5_000_000])).toEqual([['b', true]])
})
