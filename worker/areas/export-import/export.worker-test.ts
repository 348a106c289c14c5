/** An export is read page by page, while it is sent. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as z from 'zod'
import type { exportAnswerSchema } from '#contract/export-import/export-import.ts'
import { chatflows, chatMessages } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

const MESSAGES = 1000
const LENGTH = 20_000

type ExportAnswer = z.infer<typeof exportAnswerSchema>

let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle()
  ann = await heddle.signUp()
  await call(ann, 'POST', '/chatflows', { name: 'Talk', flowData: '{"nodes":[],"edges":[]}', type: 'AGENTFLOW' })
  const [flow] = await heddle.database.select().from(chatflows)
  const { id: chatflowid, workspaceId } = flow as typeof chatflows.$inferSelect
  const stamp = {
    chatflowid,
    workspaceId,
    role: 'userMessage',
    chatType: 'EXTERNAL',
    chatId: 'c',
    sessionId: 'c',
  } as const
  const message = (n: number) => ({
    ...{ ...stamp, id: crypto.randomUUID(), content: `${n} `.padEnd(LENGTH, 'x') },
    createdDate: new Date(n * 1000).toISOString(),
  })
  for (let from = 0; from < MESSAGES; from += 100) {
    await heddle.database.insert(chatMessages).values(Array.from({ length: 100 }, (_, n) => message(from + n)))
  }
})
afterAll(() => heddle.close())

const ask = (signal?: AbortSignal) =>
  ann.fetch('/api/v1/export-import/export', { method: 'POST', json: { chat_message: true }, ...(signal && { signal }) })

it('an export contains every row once, in order, whatever page it was read with', async () => {
  const { ChatMessage } = (await (await ask()).json()) as ExportAnswer
  const numbers = ChatMessage.map(({ content }) => Number.parseInt(String(content), 10))
  expect(numbers).toEqual(Array.from({ length: MESSAGES }, (_, n) => n))
})

it('stops reading when its reader stops', async () => {
  const before = heddle.roundTrips()
  await (await ask()).text()
  const whole = heddle.roundTrips() - before
  expect(whole).toBeGreaterThan((MESSAGES * LENGTH) / 1_000_000)

  const started = heddle.roundTrips()
  const abort = new AbortController()
  const reader = ((await ask(abort.signal)).body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  abort.abort()
  await reader.closed.catch(() => {})
  await expect
    .poll(async () => {
      const seen = heddle.roundTrips()
      await (await ann.fetch('/api/v1/settings')).text()
      return heddle.roundTrips() - seen
    })
    .toBeLessThan(2)
  expect(heddle.roundTrips() - started).toBeLessThan(whole)
})
