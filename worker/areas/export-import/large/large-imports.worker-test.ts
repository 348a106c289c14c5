// @defends half-file-imported
/** Files that are too large for one request are sent in parts, checked, and imported. */
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type LargeImport, MAX_TRANSFER_ROWS } from '#contract/export-import/export-import.ts'
import {
  auditEvents,
  chatflows,
  chatMessageFeedback,
  chatMessages,
  documentChunks,
  documentLoaders,
  documentSearchIndexes,
  documentSources,
  documentStores,
  executionSteps,
  executions,
  fileDeletions,
  importRows,
  variables,
  workspaceImports,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { bundleOf, openImport, STORE, send, until } from './testing/files.ts'

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
  await heddle.database.update(documentSearchIndexes).set({ state: 'dropped' })
  await heddle.database.delete(documentStores)
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

const ANOTHER_ID = '00000099-7425-40de-944b-000000000001'

/** A job of the store writes its index after the import. */
const SOON = { timeout: 30_000 }

/** How many chunks of the store have the word. */
async function found(word: string): Promise<number> {
  const asked = { storeId: STORE, query: word, inputs: { mode: 'keyword' } }
  return (await call(ann, 'POST', '/document-store/vectorstore/query', asked)).body.docs.length
}

async function storedStores() {
  const { database } = heddle
  const of = async (table: typeof documentLoaders | typeof documentSources) =>
    (await database.select().from(table).orderBy(asc(table.id))).map((row) => ({
      ...row,
      createdDate: '',
      updatedDate: '',
    }))
  const chunks = await database.select().from(documentChunks).orderBy(asc(documentChunks.id))
  return { loaders: await of(documentLoaders), sources: await of(documentSources), chunks }
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

it('brings the chunks of document stores as an import in one request does', { timeout: 60_000 }, async () => {
  const bundle = bundleOf({ runs: 0, chunks: 700, chars: 2000 })
  const lost = [{ id: 'x' }, { ...bundle.DocumentStoreFileChunk[0], id: ANOTHER_ID, docId: ANOTHER_ID }]
  const odd = { ...bundle, DocumentStoreFileChunk: [...lost, ...bundle.DocumentStoreFileChunk] }
  const whole = await call(ann, 'POST', '/export-import/import', odd)
  expect(whole.body.report.imported).toMatchObject({ DocumentStore: 1, DocumentStoreFileChunk: 700 })
  const atOnce = await storedStores()
  await wipe()

  const inParts = await imported(ann, odd)
  expect(inParts.report).toEqual(whole.body.report)
  expect(await storedStores()).toEqual(atOnce)
  expect(atOnce.chunks.length).toBe(700)
  await expect.poll(() => found('word233'), SOON).toBe(1)
  expect(await found('word699')).toBe(0)
  const stores = () => heddle.database.select().from(documentStores)
  await expect.poll(stores, SOON).toMatchObject([{ status: 'UPSERTED', totalChunks: 700 }])
})

it('ends an import that an earlier version left while it made chunks found', { timeout: 60_000 }, async () => {
  const { id } = await imported(ann, bundleOf({ runs: 0, chunks: 20, chars: 100 }))
  await expect.poll(() => found('word3'), SOON).toBe(1)
  const { database } = heddle
  await expect.poll(() => database.select().from(documentStores), SOON).toMatchObject([{ status: 'UPSERTED' }])
  await database.update(documentSearchIndexes).set({ state: 'dropped' })
  await database.update(documentStores).set({ status: 'STALE' })
  const stores = [STORE, ANOTHER_ID].map((store) => JSON.stringify({ id: store, status: 'UPSERTED' }))
  await database.delete(importRows)
  await database
    .insert(importRows)
    .values(stores.map((row, seq) => ({ importId: id, list: 'stores' as const, seq, row })))
  const left = { state: 'indexing' as const, endedDate: null, leaseUntil: '2020-01-01T00:00:00.000Z' }
  await database.update(workspaceImports).set(left).where(eq(workspaceImports.id, id))

  expect((await openImport(ann))?.state).toBe('writing')
  expect((await close(ann, id)).status).toBe(409)
  await heddle.scheduled()
  expect((await until(ann, 'done')).report?.imported).toMatchObject({ DocumentStore: 1 })
  await expect.poll(() => found('word3'), SOON).toBe(1)
  await expect.poll(() => database.select().from(documentStores), SOON).toMatchObject([{ status: 'UPSERTED' }])
  const next = await send(ann, '{}')
  await close(ann, next.id)
})

it('a large import recognizes the chunks that the workspace already has', { timeout: 60_000 }, async () => {
  const bundle = bundleOf({ runs: 0, chunks: 20, chars: 100 })
  const [first, ...others] = bundle.DocumentStoreFileChunk
  const place = `DocumentStore/${STORE}`
  const importAgain = async (chunks: object[], choices = {}) => {
    const ended = await imported(ann, { ...bundle, DocumentStoreFileChunk: chunks }, choices)
    await close(ann, ended.id)
    return ended.report
  }
  await importAgain([first as object, ...others])
  const same = await importAgain([...others, first as object])
  expect(same?.items[1]).toMatchObject({ key: 'DocumentStore', found: 'same', choice: 'skip' })
  const changed = [{ ...first, pageContent: 'changed' }, ...others]
  const different = await importAgain(changed, { [place]: 'replace' })
  expect(different?.items[1]).toMatchObject({ found: 'different', choice: 'replace' })
  await expect.poll(async () => [await found('word0'), await found('changed')], SOON).toEqual([0, 1])
  await importAgain(changed, { [place]: 'new' })
  const stores = await heddle.database.select().from(documentChunks)
  expect(new Set(stores.map(({ id }) => id)).size).toBe(40)
  expect(await found('changed')).toBe(1)
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

it('imports rows of almost 16 MB', { timeout: 120_000 }, async () => {
  const bundle = bundleOf({ runs: 3, chars: 10 })
  const long = 'a'.repeat(15_000_000)
  const [message, ...messages] = bundle.ChatMessage
  const [run, ...runs] = bundle.Execution
  const item = (output: object) => ({
    ...{ nodeId: 'startAgentflow_0', nodeLabel: 'Start', status: 'FINISHED', previousNodeIds: [] },
    data: { id: 'startAgentflow_0', name: 'startAgentflow', output },
  })
  const many = Array.from({ length: 2_000 }, (_, n) => item({ content: `${n}`.padEnd(3_000, 'x') }))
  const items = [item({ question: 'q'.repeat(6_000_000) }), ...many]
  await imported(ann, {
    ...bundle,
    ChatMessage: [{ ...message, content: long, usedTools: '[]' }, ...messages],
    Execution: [{ ...run, executionData: items }, ...runs],
  })
  const { body: listed } = await call(ann, 'GET', `/chatmessage/${bundle.AgentFlowV2[0]?.id}?limit=10`)
  const { content, usedTools } = listed.find((each: { id: string }) => each.id === message?.id)
  expect([content === long, usedTools, listed.length]).toEqual([true, [], 6])
  const { body: shown } = await call(ann, 'GET', `/executions/${run?.id}`)
  expect([shown.question.length, JSON.parse(shown.executionData).length]).toEqual([6_000_000, 2_001])
})

const rowsAside = async () => (await heddle.database.select({ n: sql<number>`count(*)` }).from(importRows))[0]?.n ?? 0

it('a canceled import leaves nothing behind', { timeout: 120_000 }, async () => {
  const bundle = bundleOf({ runs: 1500, chunks: 100, chars: 500 })
  const reach: Record<string, (id: string) => Promise<unknown>> = {
    uploading: async () => {},
    checking: (id) => act(ann, id, 'check'),
    checked: async (id) => {
      await act(ann, id, 'check')
      return until(ann, 'checked')
    },
    async importing(id) {
      await reach.checked?.(id)
      await act(ann, id, 'run')
      await expect.poll(rowsAside, { timeout: 30_000 }).toBeGreaterThan(0)
    },
  }
  for (const [state, go] of Object.entries(reach)) {
    const { id } = await send(ann, JSON.stringify(bundle))
    await go(id)
    expect((await openImport(ann))?.state).toBe(state)
    const closed = await close(ann, id)
    expect(closed.status).toBe(200)
    expect(closed.body.state).not.toBe('done')
    expect(await openImport(ann)).toBeNull()
    expect((await act(ann, id, 'run')).status).toBe(404)
    await heddle.scheduled()
    expect(await rowsAside()).toBe(0)
    expect([(await stored()).chatMessages, (await storedStores()).chunks]).toEqual([[], []])
    const bucket = await heddle.openBucket()
    expect((await bucket.list()).objects).toEqual([])
    expect(await heddle.database.select().from(fileDeletions)).toEqual([])
  }
})

it('keeps no part of a file that was imported, or that failed', { timeout: 60_000 }, async () => {
  const bucket = await heddle.openBucket()
  const keptParts = async () => {
    await heddle.scheduled()
    return (await bucket.list()).objects
  }
  const { id } = await checked(ann, bundleOf({ runs: 2, chars: 10 }))
  expect(await keptParts()).toHaveLength(1)
  await act(ann, id, 'run')
  await until(ann, 'done')
  expect(await keptParts()).toEqual([])
  await close(ann, id)

  const failing = await send(ann, '[]')
  expect(await keptParts()).toHaveLength(1)
  await act(ann, failing.id, 'check')
  await expect(until(ann, 'checked')).rejects.toThrow('Invalid Imported File')
  expect(await keptParts()).toEqual([])
})

it('an import is reported as canceled only when nothing of it remains', { timeout: 120_000 }, async () => {
  const slow = sql`create trigger slow after insert on chat_messages begin
    select count(*) from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) select i from n); end`
  // Before it is decided, while it writes, and after it.
  const moments = [0, 0, 5, 15, 40].map((ms) => () => new Promise((resolve) => setTimeout(resolve, ms)))
  for (const moment of [...moments, () => until(ann, 'done')]) {
    const { id } = await checked(ann, bundleOf({ runs: 100, chars: 10 }))
    await heddle.database.run(slow)
    await act(ann, id, 'run')
    const isLast = async () => (await rowsAside()) > 0 || (await openImport(ann))?.state === 'done'
    await expect.poll(isLast, { timeout: 30_000, interval: 1 }).toBe(true)
    await moment()
    const { status, body } = await close(ann, id)
    await heddle.database.run(sql`drop trigger slow`)
    const isWritten = status === 409 || body.state === 'done'
    expect([200, 409]).toContain(status)
    if (status === 409) await close(ann, (await until(ann, 'done')).id)
    expect((await stored()).chatMessages.length).toBe(isWritten ? 200 : 0)
    await wipe()
  }
})

it('a large import begins once when two files are sent at once', async () => {
  const start = () => call(ann, 'POST', '/export-import/imports', { name: 'a.json', size: 2 })
  const answers = await Promise.all([start(), start(), start()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

const eventsOf = async () => heddle.database.select().from(auditEvents).where(eq(auditEvents.event, 'workspace.import'))

it('the audit event of an import lists only what was imported', { timeout: 60_000 }, async () => {
  await heddle.database.delete(auditEvents)
  const bundle = bundleOf({ runs: 1500, chars: 500 })
  const { id } = await checked(ann, bundle)
  expect((await act(ann, id, 'run')).status).toBe(200)
  expect((await act(ann, id, 'run')).status).toBe(409)
  await expect.poll(rowsAside, { timeout: 30_000 }).toBeGreaterThan(0)
  await close(ann, id)
  expect(await eventsOf()).toEqual([])

  await close(ann, (await imported(ann, bundle)).id)
  const [event, ...others] = await eventsOf()
  expect(others).toEqual([])
  expect(event).toMatchObject({ actorKind: 'user', requestId: expect.any(String), address: expect.any(String) })
  expect(event?.change).toMatchObject({ Execution: 1500, ChatMessage: 3000 })

  await imported(ann, bundle)
  expect((await eventsOf()).length).toBe(1)
})

it('runs once when it is asked to twice at once', { timeout: 60_000 }, async () => {
  const { id } = await checked(ann, bundleOf({ runs: 20, chars: 10 }))
  const runs = await Promise.all([act(ann, id, 'run'), act(ann, id, 'run')])
  expect(runs.map(({ status }) => status).sort()).toEqual([200, 409])
  await until(ann, 'done')
  expect((await stored()).chatMessages.length).toBe(40)
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
    [`{"Tool":[{"name":${'['.repeat(300)}${']'.repeat(300)}}]}`, 'Tool.0: This is nested too deeply'],
    [`{"Variable":[${'1,'.repeat(MAX_TRANSFER_ROWS)}1]}`, 'Invalid Imported File'],
    [`{"Dataset":[${'1,'.repeat(MAX_TRANSFER_ROWS)}1]}`, 'Dataset has more than 100,000 rows'],
    [`{${Array.from({ length: 1001 }, (_, list) => `"L${list}":[1]`).join()}}`, 'The file has more than 1,000 lists'],
    [JSON.stringify({ Tool: Array(20).fill({ func: 'x'.repeat(1_000_000) }) }), 'may have 16 MB in all'],
  ] as const) {
    const { id } = await send(ann, text)
    await act(ann, id, 'check')
    await expect(until(ann, 'checked')).rejects.toThrow(reason)
    await close(ann, id)
  }
  expect((await stored()).chatflows).toEqual([])
})

it('a large import says that a part is missing', async () => {
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

it('a large import is private to the person who started it', { timeout: 60_000 }, async () => {
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
