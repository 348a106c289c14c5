// @defends flow-reads-file
/** Files that flows read are kept with the flow, and reach nobody else. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { FILE_QUOTA_BYTES, type FileList } from '#contract/files/files.ts'
import type { FlowUpsert } from '#contract/upserts/upserts.ts'
import { fileDeletions, files } from '#db/schema/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { fileKey } from '#worker/ports/file-storage.ts'
import { drawChat } from '../../nodes/chatflow/testing/chat.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
let bob: TestClient

beforeAll(async () => {
  scene = await openScene()
  bob = await scene.heddle.signUp()
})
afterAll(() => scene.close())

const sent = (text: string, name = 'notes.txt') =>
  `data:text/plain;base64,${Buffer.from(text).toString('base64')},filename:${name}`

/** A chat flow whose store reads the file that this value holds. */
function draw(txtFile: string) {
  return drawChat({ textFile_0: { inputs: { txtFile } }, practiceEmbeddings_0: {}, memoryVectorStore_0: {} }, [
    'textFile_0 > memoryVectorStore_0.document',
    'practiceEmbeddings_0 > memoryVectorStore_0.embeddings',
  ])
}

type Saved = Chatflow & { message: string; field?: string }

const bodyOf = (value: string) => ({ name: 'Reads', flowData: JSON.stringify(draw(value)), type: 'CHATFLOW' })
const create = (value: string, { more = {}, client = scene.ann }: { more?: object; client?: TestClient } = {}) =>
  scene.call<Saved>('POST', '/chatflows', { ...bodyOf(value), ...more }, client)
const save = (id: string, value: string, more: object = {}) =>
  scene.call<Saved>('PUT', `/chatflows/${id}`, { flowData: bodyOf(value).flowData, ...more })

function valueIn({ flowData }: Pick<Chatflow, 'flowData'>): string {
  const { nodes } = JSON.parse(flowData) as ReturnType<typeof draw>
  return String(nodes.find(({ id }) => id === 'textFile_0')?.data.inputs?.txtFile)
}

async function read(id: string, client = scene.ann) {
  const path = `/vector/internal-upsert/${id}`
  const { body } = await scene.call<FlowUpsert & { message: string }>('POST', path, {}, client)
  return body.addedDocs?.map(({ pageContent }) => pageContent) ?? body.message
}

const rowsOf = (id: string) => scene.heddle.database.select().from(files).where(eq(files.chatflowid, id))
const bucketHas = async (row: { workspaceId: string; id: string }) =>
  (await (await scene.heddle.openBucket()).get(fileKey(row))) !== null

it('a file that a flow is saved with becomes a file of the flow, and its runs read it', async () => {
  const { body } = await create(sent('Wool is warm'))
  expect(valueIn(body)).toBe('FILE-STORAGE::notes.txt')
  const [row] = await rowsOf(body.id)
  expect(row).toMatchObject({ name: 'notes.txt', chatId: '', mime: 'text/plain', size: 12, data: null })
  expect(await read(body.id)).toEqual(['Wool is warm'])
  const { body: list } = await scene.call<FileList>('GET', '/files?search=notes')
  expect(list.data[0]).toMatchObject({ name: 'notes.txt', size: 12, owner: { id: body.id, name: 'Reads' } })
})

it('several files are named in a list', async () => {
  const { body } = await create(JSON.stringify([sent('One', 'a.txt'), sent('Two', 'b.txt')]))
  expect(valueIn(body)).toBe('FILE-STORAGE::["a.txt","b.txt"]')
  expect(await read(body.id)).toEqual(['One', 'Two'])
})

it('another file of the same name gets a number, and an earlier version keeps its own', async () => {
  const { body } = await create(sent('First'))
  const second = await save(body.id, sent('Second'))
  expect(valueIn(second.body)).toBe('FILE-STORAGE::notes (2).txt')
  expect(await read(body.id)).toEqual(['Second'])
  await scene.call('POST', `/chatflows/${body.id}/versions/${body.version}/restore`, {})
  expect(await read(body.id)).toEqual(['First'])
})

it('a file that the flow has already is not kept twice', async () => {
  const { body } = await create(sent('Same'))
  for (const value of [sent('Same'), sent('Same')])
    expect(valueIn((await save(body.id, value)).body)).toBe('FILE-STORAGE::notes.txt')
  expect(await rowsOf(body.id)).toHaveLength(1)
})

it('a file name refers to one file after two concurrent saves', async () => {
  const { body } = await create(sent('Zero', 'zero.txt'))
  const answers = await Promise.all([save(body.id, sent('One')), save(body.id, sent('Two'))])
  const rows = await rowsOf(body.id)
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  const last = answers.filter(({ status }) => status === 200)
  expect(last.length).toBeGreaterThan(0)
  expect(['One', 'Two']).toContain(((await read(body.id)) as string[])[0])
})

it('a refused save keeps no file', async () => {
  const { body } = await create(sent('Kept'))
  await save(body.id, sent('Newer', 'newer.txt'))
  const before = await rowsOf(body.id)
  expect((await save(body.id, sent('Late', 'late.txt'), { version: body.version })).status).toBe(409)
  expect(await rowsOf(body.id)).toEqual(before)
  expect((await scene.call('PUT', `/chatflows/${body.id}`, bodyOf(sent('Hers', 'hers.txt')), bob)).status).toBe(404)
  expect(await rowsOf(body.id)).toEqual(before)
})

it('a name is never a path', async () => {
  const { body } = await create(sent('Up', '../../etc/pass"wd.txt'))
  expect(valueIn(body)).toBe('FILE-STORAGE::passwd.txt')
  expect(await read(body.id)).toEqual(['Up'])
  const other = await create('FILE-STORAGE::["../passwd.txt","%","passwd"]')
  expect(await read(other.body.id)).toContain('../passwd.txt is no longer there')
})

it('a damaged file is refused by the name of its input, and nothing is saved', async () => {
  const { status, body } = await create('data:text/plain;base64,%%%,filename:a.txt')
  expect([status, body.field]).toEqual([400, 'flowData'])
  expect(body.message).toContain('Text file holds a damaged file')
})

it('a save with more than 500 files is refused', async () => {
  const many = Array.from({ length: 501 }, (_, file) => sent('x', `${file}.txt`))
  const { status, body } = await create(JSON.stringify(many))
  expect([status, body.field]).toEqual([413, 'flowData'])
})

it('files of flows count for the quota of the workspace', async () => {
  const { body } = await create('')
  const row = {
    ...{ id: crypto.randomUUID(), workspaceId: body.workspaceId, chatflowid: body.id, chatId: 'c', name: 'big' },
    ...{ mime: 'text/plain', size: FILE_QUOTA_BYTES, createdDate: '2026-01-01T00:00:00.000Z' },
  }
  await scene.heddle.database.insert(files).values(row)
  const refused = await save(body.id, sent('x'))
  expect([refused.status, refused.body.field]).toEqual([413, 'flowData'])
  await scene.heddle.database.delete(files).where(eq(files.id, row.id))
  expect((await save(body.id, sent('x'))).status).toBe(200)
})

it('a copy of a flow has files of its own', async () => {
  const { body } = await create(sent('Copied'))
  const copy = await create('FILE-STORAGE::notes.txt', { more: { copyOf: body.id } })
  await scene.call('DELETE', `/chatflows/${body.id}`)
  expect(await read(copy.body.id)).toEqual(['Copied'])
  expect(await rowsOf(copy.body.id)).toHaveLength(1)
})

it('nobody copies the files of another workspace', async () => {
  const { body } = await create(sent('Secret'))
  const stolen = await create('FILE-STORAGE::notes.txt', { more: { copyOf: body.id }, client: bob })
  expect(stolen.status).toBe(404)
})

it('a flow reads no file of another flow or workspace, and anonymous callers download none', async () => {
  const { body } = await create(sent('Secret', 'secret.txt'), { more: { callers: 'everyone' } })
  const hers = await create('FILE-STORAGE::secret.txt')
  expect(await read(hers.body.id)).toContain('secret.txt is no longer there')
  const his = await create('FILE-STORAGE::secret.txt', { client: bob })
  expect(await read(his.body.id, bob)).toContain('secret.txt is no longer there')
  for (const chatId of ['', 'secret.txt', '%00']) {
    const path = `/api/v1/get-upload-file?chatflowId=${body.id}&chatId=${chatId}&fileName=secret.txt`
    expect((await scene.heddle.fetch(path)).status).toBeGreaterThanOrEqual(400)
  }
})

it('a deleted flow takes its files with it', async () => {
  const { body } = await create(sent('Gone'))
  const [row] = await rowsOf(body.id)
  if (!row) throw new Error('The file was not kept')
  expect(await bucketHas(row)).toBe(true)
  await scene.call('DELETE', `/chatflows/${body.id}`)
  expect(await rowsOf(body.id)).toEqual([])
  await scene.heddle.scheduled()
  expect(await bucketHas(row)).toBe(false)
  expect(
    await scene.heddle.database
      .select()
      .from(fileDeletions)
      .where(eq(fileDeletions.key, fileKey(row))),
  ).toEqual([])
})
