/** Files that are too large for one request are sent in parts, checked, and imported all at once. */
import { asc, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { LargeImport } from '#contract/export-import.ts'
import {
  auditEvents,
  chatflows,
  chatMessageFeedback,
  chatMessages,
  executionSteps,
  executions,
  fileDeletions,
  importRows,
  variables,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { bundleOf, openImport, send, until } from './testing/files.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient
beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())

const TABLES = { chatMessageFeedback, chatMessages, executionSteps, executions, variables, chatflows }
const wipe = async () => {
  for (const table of Object.values(TABLES)) await heddle.database.delete(table)
}
beforeEach(wipe)
afterEach(async () => {
  for (const client of [ann, bob]) {
    const left = await openImport(client)
    if (left) await close(client, left.id)
  }
})

const close = (client: TestClient, id: string) => call(client, 'DELETE', `/export-import/imports/${id}`)
const act = (client: TestClient, id: string, action: 'check' | 'run', body = {}) =>
  call(client, 'POST', `/export-import/imports/${id}/${action}`, body)

async function checked(client: TestClient, bundle: object): Promise<LargeImport> {
  const { id } = await send(client, JSON.stringify(bundle))
  expect((await act(client, id, 'check')).status).toBe(200)
  return until(client, 'checked')
}

async function imported(client: TestClient, bundle: object, choices = {}): Promise<LargeImport> {
  const { id } = await checked(client, bundle)
  expect((await act(client, id, 'run', { choices })).status).toBe(200)
  return until(client, 'done')
}

/** Everything that an import writes, without the moments at which it does. */
async function stored() {
  const rows = await Promise.all(
    Object.entries(TABLES).map(async ([name, table]) => {
      const list = (await heddle.database.select().from(table).orderBy(asc(sql`1`), asc(sql`2`))) as object[]
      return [
        name,
        list.map((row) => ({
          ...row,
          updatedDate: '',
          incarnation: '',
          ...(name === 'chatflows' && { createdDate: '' }),
          ...(name === 'variables' && { createdDate: '' }),
        })),
      ]
    }),
  )
  return Object.fromEntries(rows)
}

it('writes and reports what an import in one request does', { timeout: 60_000 }, async () => {
  const bundle = bundleOf({ runs: 400, chars: 1000 })
  const broken = { id: 'x', chatflowid: 'nowhere', role: 'nobody' }
  const odd = { ...bundle, ChatMessage: [...bundle.ChatMessage, broken, { ...bundle.ChatMessage[0], id: 'no-uuid' }] }
  const preview = await checked(ann, odd)
  expect(await stored()).toEqual(Object.fromEntries(Object.keys(TABLES).map((name) => [name, []])))
  await close(ann, preview.id)

  const whole = await call(ann, 'POST', '/export-import/import', odd)
  expect(whole.status).toBe(200)
  expect(preview.report).toEqual(whole.body.report)
  const atOnce = await stored()
  expect([atOnce.executions.length, atOnce.executionSteps.length, atOnce.chatMessages.length]).toEqual([400, 400, 801])
  const isNew = ({ id }: { id: string }) => !bundle.ChatMessage.some((row) => row.id === id)
  const withoutNew = (rows: { id: string }[]) => rows.filter((row) => !isNew(row))
  await wipe()

  const inParts = await imported(ann, odd)
  expect(inParts.report).toEqual(whole.body.report)
  const after = await stored()
  expect({ ...after, chatMessages: withoutNew(after.chatMessages) }).toEqual({
    ...atOnce,
    chatMessages: withoutNew(atOnce.chatMessages),
  })
  expect(after.chatMessages.length).toBe(801)
})

it('follows the choices of the person, and skips what is there', { timeout: 60_000 }, async () => {
  const bundle = bundleOf({ runs: 20, chars: 10 })
  await imported(ann, bundle)
  await close(ann, (await openImport(ann))?.id ?? '')
  const again = await checked(ann, bundle)
  expect(again.report?.items.map(({ found, choice }) => [found, choice])).toEqual([
    ['same', 'skip'],
    ['same', 'skip'],
  ])
  expect(again.report?.imported).toMatchObject({ Execution: 0, ChatMessage: 0 })
  await act(ann, again.id, 'run', { choices: { [`AgentFlowV2/${bundle.AgentFlowV2[0]?.id}`]: 'new' } })
  await until(ann, 'done')
  const { chatflows: flows, executions: runs, chatMessages: messages } = await stored()
  expect([flows.length, runs.length, messages.length]).toEqual([2, 40, 80])
})

it('leaves nothing when it is cancelled', { timeout: 60_000 }, async () => {
  const { id } = await checked(ann, bundleOf({ runs: 1500, chars: 500 }))
  await act(ann, id, 'run')
  await expect
    .poll(async () => (await heddle.database.select({ n: sql`count(*)` }).from(importRows))[0]?.n)
    .toBeGreaterThan(0)
  expect((await close(ann, id)).status).toBe(204)
  expect(await openImport(ann)).toBeNull()
  await heddle.scheduled()
  expect(await heddle.database.select().from(importRows)).toEqual([])
  expect((await stored()).chatMessages).toEqual([])
  const bucket = await heddle.openBucket()
  expect((await bucket.list()).objects).toEqual([])
  expect(await heddle.database.select().from(fileDeletions)).toEqual([])
})

it('fails with the field that is wrong, and leaves nothing', { timeout: 60_000 }, async () => {
  for (const [text, reason] of [
    ['{"Tool":[', 'Invalid Imported File'],
    ['[]', 'Invalid Imported File'],
    ['{"AgentFlowV2":[{"id":"a"}]}', 'AgentFlowV2.0.name: This is required'],
    [
      '{"AgentFlowV2":[{"id":"a","name":"A","flowData":"nonsense"}]}',
      'AgentFlowV2.0.flowData: “A” is not a valid flow',
    ],
    ['{"Tool":[{"name":"a\\u0000b"}]}', 'Tool.0.name: This contains a NUL character'],
  ] as const) {
    const { id } = await send(ann, text)
    await act(ann, id, 'check')
    await expect(until(ann, 'checked')).rejects.toThrow(reason)
    await close(ann, id)
  }
  expect((await stored()).chatflows).toEqual([])
})

it('says that a part is missing', async () => {
  const { body } = await call(ann, 'POST', '/export-import/imports', { name: 'a.json', size: 20_000_000 })
  await act(ann, body.id, 'check')
  await expect(until(ann, 'checked')).rejects.toThrow('A part of this file is missing')
})

it('takes only the parts that the file has, one import at a time', async () => {
  const { id } = await send(ann, '{}')
  const put = async (path: string, bytes: number) =>
    (
      await ann.fetch(`/api/v1/export-import/imports/${path}`, {
        ...{ method: 'POST', body: new Uint8Array(bytes), headers: { 'content-type': 'application/octet-stream' } },
      })
    ).status
  expect(await put(`${id}/parts/1`, 5)).toBe(400)
  expect(await put(`${id}/parts/0`, 0)).toBe(400)
  expect(await put(`${id}/parts/-1`, 5)).toBe(400)
  expect(await put(`${id}/parts/0`, 8 * 1024 * 1024 + 1)).toBe(413)
  expect(await put('nothing/parts/0', 5)).toBe(404)
  const second = await call(ann, 'POST', '/export-import/imports', { name: 'b.json', size: 2 })
  expect([second.status, second.body.message]).toEqual([409, expect.stringContaining('already imports a file')])
  const large = await call(ann, 'POST', '/export-import/imports', { name: 'b.json', size: 101 * 1024 * 1024 })
  expect([large.status, large.body.message]).toEqual([400, 'size: A file may have at most 100 MB'])
  expect((await act(ann, id, 'run')).status).toBe(409)
})

it('is nobody else’s', { timeout: 60_000 }, async () => {
  const { id } = await checked(ann, bundleOf({ runs: 2, chars: 10 }))
  expect(await openImport(bob)).toBeNull()
  for (const answer of [await act(bob, id, 'check'), await act(bob, id, 'run'), await close(bob, id)])
    expect(answer.status).toBe(404)
  await imported(bob, bundleOf({ runs: 2, chars: 10 }))
  expect((await openImport(ann))?.state).toBe('checked')
  await act(ann, id, 'run')
  await until(ann, 'done')
  const owners = await heddle.database.select({ workspaceId: chatMessages.workspaceId }).from(chatMessages)
  expect(owners.length).toBe(8)
  expect(new Set(owners.map(({ workspaceId }) => workspaceId)).size).toBe(2)
  const events = await heddle.database.select().from(auditEvents)
  expect(events.some(({ event }) => event === 'workspace.import')).toBe(true)
})
