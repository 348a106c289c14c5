import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chatflows, flowVersions } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { chain, directReply, edge, node, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from './testing/scene.ts'

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

it('runs the published version for callers and the draft for the test chat', async () => {
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

it('records the version that a run used', async () => {
  const flowId = await scene.save(saying('first'))
  await scene.call('POST', `/chatflows/${flowId}/publish`, {})
  await change(flowId, 'second')
  const outside = await scene.ask(flowId, { question: 'q' })
  const inside = await scene.internally(flowId, { question: 'q' })
  expect((await scene.execution(outside.body.executionId)).flowVersion).toBe(1)
  expect((await scene.execution(inside.body.executionId)).flowVersion).toBe(2)
})

it('runs the same version after a save of settings', async () => {
  const flowId = await scene.save(saying('same'))
  await scene.call('POST', `/chatflows/${flowId}/publish`, {})
  await scene.call('PUT', `/chatflows/${flowId}`, { name: 'Other name' })
  await change(flowId, 'draft')
  expect((await scene.ask(flowId, { question: 'q' })).body.text).toBe('same')
})

/** Asks a person, then says these words. */
function asking(words: string) {
  const question = { humanInputDescriptionType: 'fixed', humanInputDescription: 'May I?' }
  const [createRun, ask, yes] = [start(), node('humanInputAgentflow', 0, question), directReply(words)]
  return { nodes: [createRun, ask, yes], edges: [edge(createRun, ask), edge(ask, yes, 0)] }
}

it.each<[string, 'ask' | 'internally']>([
  ['of a caller', 'ask'],
  ['of the test chat', 'internally'],
])(
  'resumes a waiting run %s with its own version, after hundreds of saves and another publish',
  async (_whose, how) => {
    const chatId = crypto.randomUUID()
    const { database } = scene.heddle
    const flowId = await scene.save(asking('as it was'))
    await scene.call('POST', `/chatflows/${flowId}/publish`, {})
    const { body: asked } = await scene[how](flowId, { question: 'q', chatId })
    await change(flowId, 'as it is now')
    const [head] = await database.select().from(flowVersions).where(eq(flowVersions.flowId, flowId)).limit(1)
    const more = Array.from({ length: 220 }, (_, index) => index + 3).map((version) => ({
      ...(head as typeof flowVersions.$inferSelect),
      id: `${flowId}@${version}`,
      version,
      flowData: JSON.stringify(saying(`save ${version}`)),
      note: null,
    }))
    await database.insert(flowVersions).values(more)
    await database.update(chatflows).set({ version: 222 }).where(eq(chatflows.id, flowId))
    await change(flowId, 'the newest')
    await scene.call('POST', `/chatflows/${flowId}/publish`, {})
    const kept = await database.select().from(flowVersions).where(eq(flowVersions.flowId, flowId))
    expect(kept.map(({ version }) => version)).toContain(1)
    expect(kept.map(({ version }) => version)).not.toContain(2)

    const humanInput = { type: 'proceed', executionId: asked.executionId }
    const { body } = await scene[how](flowId, { chatId, humanInput })
    expect(body).toMatchObject({ text: 'as it was', executionId: asked.executionId })
    expect((await scene.execution(asked.executionId)).flowVersion).toBe(1)
    expect((await scene[how](flowId, { question: 'q', chatId: chatIdOf(`${chatId} again`) })).body.text).toBe(
      'the newest',
    )
  },
)
