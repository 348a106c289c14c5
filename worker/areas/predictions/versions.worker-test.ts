import { afterAll, beforeAll, expect, it } from 'vitest'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from './testing.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const saying = (words: string) => chain(start(), directReply(words))

async function change(flowId: string, words: string) {
  const body = { flowData: JSON.stringify(saying(words)) }
  expect((await scene.call('PUT', `/chatflows/${flowId}`, body)).status).toBe(200)
}

it('callers run what is published, the test chat runs the draft', async () => {
  const flowId = await scene.save(saying('first'))
  const heard = async () => {
    const outside = await scene.ask(flowId, { question: 'q' })
    const inside = await scene.internally(flowId, { question: 'q' })
    return [outside.body.text, inside.body.text]
  }
  expect(await heard()).toEqual(['first', 'first'])
  await change(flowId, 'second')
  expect(await heard()).toEqual(['second', 'second'])
  expect((await scene.call('POST', `/chatflows/${flowId}/publish`, {})).status).toBe(200)
  await change(flowId, 'third')
  expect(await heard()).toEqual(['second', 'third'])
  expect(await heard()).toEqual(['second', 'third'])
  await scene.call('POST', `/chatflows/${flowId}/publish`, {})
  expect(await heard()).toEqual(['third', 'third'])
})

it('a run says which version it ran on', async () => {
  const flowId = await scene.save(saying('first'))
  await scene.call('POST', `/chatflows/${flowId}/publish`, {})
  await change(flowId, 'second')
  const outside = await scene.ask(flowId, { question: 'q' })
  const inside = await scene.internally(flowId, { question: 'q' })
  expect((await scene.execution(outside.body.executionId)).flowVersion).toBe(1)
  expect((await scene.execution(inside.body.executionId)).flowVersion).toBe(2)
})

it('a save of settings alone changes nothing that runs', async () => {
  const flowId = await scene.save(saying('same'))
  await scene.call('POST', `/chatflows/${flowId}/publish`, {})
  await scene.call('PUT', `/chatflows/${flowId}`, { name: 'Other name' })
  await change(flowId, 'draft')
  expect((await scene.ask(flowId, { question: 'q' })).body.text).toBe('same')
})
