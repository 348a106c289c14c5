/** Messages of the size that a run may write, on a database that answers with at most 10 MB. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StoredMessage } from '#contract/chats/chatmessages.ts'
import { chatMessages, workspaces } from '#db/schema/index.ts'
import { chain, code, directReply, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const REPEATED = 450_000
const TIMES = 13
const LENGTH = TIMES * REPEATED

it('are stored, listed, found, counted, exported and deleted', { timeout: 120_000 }, async () => {
  const part = code(`return '"'.repeat(${REPEATED})`)
  const reply = directReply(`needle${'{{customFunctionAgentflow_0}}'.repeat(TIMES)}haystack`)
  const id = await scene.save(chain(start(), part, reply))
  for (const chatId of ['a', 'a', 'b']) {
    const { body } = await scene.internally(id, { question: 'q', chatId })
    expect([body.message, body.text?.length]).toEqual([undefined, LENGTH + 14])
  }
  const lengthsOf = ({ content }: StoredMessage) => content.length
  const { body: listed } = await scene.call<StoredMessage[]>('GET', `/internal-chatmessage/${id}?chatId=a`)
  expect(listed.map(lengthsOf)).toEqual([1, LENGTH + 14, 1, LENGTH + 14])
  const found = await scene.call<{ data: { chatId: string }[] }>(
    'GET',
    `/chatmessage/${id}/sessions?search=haystack&limit=10`,
  )
  expect(found.body.data.map(({ chatId }) => chatId)).toEqual(['b', 'a'])
  const { body: file } = await scene.call<{ ChatMessage: StoredMessage[] }>('POST', '/export-import/export', {
    chat_message: true,
  })
  expect(file.ChatMessage.map(lengthsOf)).toEqual([...listed, ...listed.slice(0, 2)].map(lengthsOf))
  const [row] = await scene.heddle.database.select().from(chatMessages).where(eq(chatMessages.chatId, 'b')).limit(1)
  const own = eq(workspaces.id, row?.workspaceId ?? '')
  const size = async () => (await scene.heddle.database.select().from(workspaces).where(own))[0]?.recordsSize ?? 0
  const before = await size()
  await scene.call('DELETE', `/chatmessage/${id}?chatId=b`)
  expect(before - (await size())).toBe(LENGTH + 15)
})

it('a page of usual messages is one trip', async () => {
  const id = await scene.save(chain(start(), directReply('Well')))
  await scene.internally(id, { question: 'q', chatId: 'a' })
  const { database } = scene.heddle
  const [sent] = await database.select().from(chatMessages).where(eq(chatMessages.chatflowid, id)).limit(1)
  const date = Date.parse(sent?.createdDate ?? '')
  const texts = Array.from({ length: 48 }, (_, n) => `${n} `.padEnd(20_000, 'x'))
  const rows = texts.map((content, n) => ({
    ...{ ...sent, id: crypto.randomUUID(), content, usedTools: '[]' },
    createdDate: new Date(date + 60_000 + n).toISOString(),
  }))
  await database.insert(chatMessages).values(rows as (typeof chatMessages.$inferInsert)[])
  const list = () => scene.call<StoredMessage[]>('GET', `/internal-chatmessage/${id}?chatId=a`)
  await list()
  const before = scene.heddle.roundTrips()
  const { body } = await list()
  expect(scene.heddle.roundTrips() - before).toBeLessThanOrEqual(2)
  expect(body.slice(2).map(({ content }) => content)).toEqual(texts)
})
