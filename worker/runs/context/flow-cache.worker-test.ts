// @defends flow-runs-place
/** A flow that was deleted and imported under its id is another flow, whatever the worker remembers of the first one. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Trigger } from '#contract/triggers/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../../areas/predictions/testing/scene.ts'
import { send } from '../../areas/triggers/webhook/testing/webhooks.ts'

let scene: Scene
let bob: TestClient
beforeAll(async () => {
  scene = await openScene()
  bob = await scene.heddle.signUp()
})
afterAll(() => scene.close())

const saying = (words: string) => chain(start(), directReply(words))

/** Deletes Ann's flow, and imports another one under its id. */
async function replace(id: string, flow: FlowDocument, importer: TestClient) {
  expect((await scene.call('DELETE', `/chatflows/${id}`)).status).toBe(200)
  const row = { id, name: 'Mine', flowData: JSON.stringify(flow), callers: 'everyone' }
  const file = { AgentFlowV2: [row] }
  expect((await scene.call('POST', '/export-import/import', file, importer)).status).toBe(200)
}

it('runs the flow that its workspace imported under the id of a deleted one', async () => {
  const id = await scene.save(saying('old'))
  expect((await scene.internally(id, { question: 'q' })).body.text).toBe('old')
  expect((await scene.ask(id, { question: 'q' })).body.text).toBe('old')
  await replace(id, saying('new'), scene.ann)
  expect((await scene.internally(id, { question: 'q' })).body.text).toBe('new')
  expect((await scene.ask(id, { question: 'q' })).body.text).toBe('new')
})

it('runs nothing under the id of a deleted flow that another tenant imported', async () => {
  const id = await scene.save(saying('old'))
  expect((await scene.ask(id, { question: 'q' })).body.text).toBe('old')
  await replace(id, saying('new'), bob)
  expect((await scene.internally(id, { question: 'q' }, bob)).status).toBe(404)
  expect((await scene.ask(id, { question: 'q' })).status).toBe(401)
})

it('a reply does not reveal the incarnation of a flow', async () => {
  const id = await scene.save(saying('old'))
  const { body: listed } = await scene.call('GET', '/chatflows')
  const { body: read } = await scene.call('GET', `/chatflows/${id}`)
  const { body: exported } = await scene.call('POST', '/export-import/export', { agentflowv2: true })
  expect(JSON.stringify([listed, read, exported])).not.toContain('incarnation')
})

it('replays with the flow that has the id now', async () => {
  const id = await scene.save(saying('old'))
  await scene.internally(id, { question: 'q' })
  await replace(id, saying('new'), scene.ann)
  const { executionId } = (await scene.internally(id, { question: 'q' })).body
  const replayed = await scene.call<{ text: string }>('POST', `/executions/${executionId}/replay`, {
    path: 'directReplyAgentflow_0',
  })
  expect(replayed.body.text).toBe('new')
})

const webhook = (words: string) => chain(start({ startInputType: 'webhookTrigger' }), directReply(words))

it('starts by webhook the flow that its workspace imported under the id of a deleted one', async () => {
  const id = await scene.save(webhook('old'))
  expect((await send(scene, id, {})).body).toMatchObject({ text: 'old' })
  await replace(id, webhook('new'), scene.ann)
  const { body } = await scene.call<{ data: Trigger[] } | Trigger[]>('GET', '/triggers')
  const trigger = (Array.isArray(body) ? body : body.data).find(({ flowId }) => flowId === id)
  await scene.call('POST', `/triggers/${trigger?.id}/resume`, {})
  expect((await send(scene, id, {})).body).toMatchObject({ text: 'new' })
})

it('starts nothing by the webhook of a deleted flow that another tenant imported', async () => {
  const id = await scene.save(webhook('old'))
  expect((await send(scene, id, {})).body).toMatchObject({ text: 'old' })
  await replace(id, webhook('new'), bob)
  expect((await send(scene, id, {})).status).toBe(401)
})
