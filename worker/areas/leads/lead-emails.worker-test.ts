/** Which email stands beside the messages of a chat. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { chain, directReply, edge, node, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const asking = { chatbotConfig: JSON.stringify({ leads: { status: true, email: true } }) }
const hello = () => chain(start(), directReply('Hello'))

const leave = (chatflowid: string, chat: string, email: string) =>
  scene.call('POST', '/leads', { chatflowid, chatId: chatIdOf(chat), email }, scene.heddle.newClient())

async function emailsOf(flowId: string, question: object): Promise<(string | null)[]> {
  const { body } = await scene.ask(flowId, { question: 'Hi', ...question })
  return (await scene.messagesOf(body.executionId)).map(({ leadEmail }) => leadEmail)
}

describe('a question', () => {
  it('is stored with the email that the call brings, and its answer without', async () => {
    const id = await scene.save(hello())
    expect(await emailsOf(id, { chatId: chatIdOf('c'), leadEmail: 'ada@example.com' })).toEqual([
      'ada@example.com',
      null,
    ])
    expect(await emailsOf(id, { chatId: chatIdOf('c') })).toEqual([null, null])
  })

  it('is stored with the email of the lead of its chat, unless the call brings another', async () => {
    const id = await scene.save(hello(), asking)
    await leave(id, 'c', 'ada@example.com')
    expect(await emailsOf(id, { chatId: chatIdOf('c') })).toEqual(['ada@example.com', null])
    expect(await emailsOf(id, { chatId: chatIdOf('c'), leadEmail: 'bo@example.com' })).toEqual(['bo@example.com', null])
  })

  it('never gets the email of another chat or flow', async () => {
    const [id, other] = [await scene.save(hello(), asking), await scene.save(hello(), asking)]
    await leave(id, 'c', 'ada@example.com')
    expect(await emailsOf(id, { chatId: chatIdOf('d') })).toEqual([null, null])
    expect(await emailsOf(other, { chatId: chatIdOf('c') })).toEqual([null, null])
  })
})

it('an answer to a waiting run is stored with the email of the question', async () => {
  const [begin, asks, done] = [
    start(),
    node('humanInputAgentflow', 0, { humanInputDescription: 'May I?' }),
    directReply('Done'),
  ]
  const id = await scene.save({ nodes: [begin, asks, done], edges: [edge(begin, asks), edge(asks, done, 0)] })
  const { body } = await scene.ask(id, { question: 'Hi', chatId: chatIdOf('c'), leadEmail: 'ada@example.com' })
  const { status } = await scene.ask(id, { chatId: chatIdOf('c'), humanInput: { type: 'proceed' } })
  expect(status).toBe(200)
  const messages = await scene.messagesOf(body.executionId)
  expect(messages.map(({ role, leadEmail }) => [role, leadEmail])).toEqual([
    ['userMessage', 'ada@example.com'],
    ['apiMessage', null],
    ['userMessage', 'ada@example.com'],
    ['apiMessage', null],
  ])
})

it('the export of messages names the email of each session', async () => {
  const id = await scene.save(hello(), asking)
  await leave(id, 'c', 'ada@example.com')
  await scene.ask(id, { question: 'Hi', chatId: chatIdOf('c') })
  const { body } = await scene.call<{ email: string }[]>('POST', '/export-import/chatflow-messages', { chatflowId: id })
  expect(body.map(({ email }) => email)).toEqual(['ada@example.com'])
})
