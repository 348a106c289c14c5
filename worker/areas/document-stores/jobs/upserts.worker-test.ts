/** Upserts in Flowise's shape, as JSON and as forms, and their history. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UpsertResult } from '#contract/document-stores/jobs.ts'
import { documentJobs } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { act, chunkTexts, newStore, ok, readJob, start, textOf } from './testing/stores.ts'

let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle()
  ann = await heddle.signUp()
})
afterAll(() => heddle.close())

const splitter = { name: 'characterTextSplitter', config: { separator: '\n\n', chunkSize: 30, chunkOverlap: 0 } }
const plainText = (...texts: string[]) => ({
  loader: { name: 'plainText', config: { text: textOf(...texts) } },
  splitter,
})
const upsert = (storeId: string, body: object): Promise<UpsertResult> =>
  ok(ann, 'POST', `/document-store/upsert/${storeId}`, body)
const storeOf = (id: string) => ok(ann, 'GET', `/document-store/store/${id}`)
const chunksOf = async (id: string) => (await ok(ann, 'GET', `/document-store/chunks/${id}/all/1`)).chunks
const textsOf = async (id: string) => chunkTexts(await chunksOf(id)).sort()

describe('an upsert as JSON', () => {
  it('adds a loader, and puts what it is told into the metadata of each chunk', async () => {
    const storeId = await newStore(ann)
    const done = await upsert(storeId, { ...plainText('one', 'two'), metadata: { team: 'tea' } })
    expect(done).toMatchObject({ numAdded: 2, totalKeys: 2, docId: expect.any(String) })
    const [first] = await chunksOf(storeId)
    expect(JSON.parse(first.metadata)).toMatchObject({ team: 'tea', docId: done.docId })
    expect((await storeOf(storeId)).loaders).toMatchObject([{ id: done.docId, loaderId: 'plainText' }])
  })

  it('takes the settings of the loader it names, beside it or in its place', async () => {
    const storeId = await newStore(ann)
    const { docId } = await upsert(storeId, plainText('one'))
    const loader = { name: 'plainText', config: { text: textOf('two') } }
    const beside = await upsert(storeId, { docId, loader, loaderName: 'Beside' })
    expect(beside.docId).not.toBe(docId)
    expect(await textsOf(storeId)).toEqual(['one', 'two'])
    const instead = { docId, replaceExisting: true, loader: { config: { text: textOf('three') } } }
    expect(await upsert(storeId, instead)).toMatchObject({ docId, numUpdated: 1 })
    expect(await textsOf(storeId)).toEqual(['three', 'two'])
    const { loaders } = await storeOf(storeId)
    expect(loaders).toMatchObject([{ id: docId, splitterId: splitter.name }, { loaderName: 'Beside' }])
  })

  it('makes a store of its own when asked to', async () => {
    const storeId = await newStore(ann)
    const docStore = { name: 'Made by an upsert', description: 'New' }
    const { jobId } = await upsert(storeId, { ...plainText('one'), createNewDocStore: true, docStore })
    const made = (await readJob(ann, jobId)).storeId
    expect(made).not.toBe(storeId)
    expect(await storeOf(made)).toMatchObject({ name: 'Made by an upsert', totalChunks: 1 })
    expect((await storeOf(storeId)).loaders).toEqual([])
  })

  it.each([
    ['nothing to read', {}, 'loader'],
    ['a store to make without its name', { ...plainText('one'), createNewDocStore: true }, 'docStore'],
    ['a loader that does not exist', { loader: { name: 'nothing' } }, 'loaderId'],
  ])('is refused with %s', async (_, body, field) => {
    const refused = await call(ann, 'POST', `/document-store/upsert/${await newStore(ann)}`, body)
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } })
  })
})

it('an upsert as a form reads its files, with the settings beside them', async () => {
  const storeId = await newStore(ann)
  const form = new FormData()
  form.append('files', new File([textOf('one')], 'a.txt', { type: 'text/plain' }))
  form.append('files', new File([textOf('two')], 'b.txt', { type: 'text/plain' }))
  form.append('splitter', JSON.stringify(splitter))
  form.append('metadata', JSON.stringify({ team: 'tea' }))
  const response = await ann.fetch(`/api/v1/document-store/upsert/${storeId}`, { method: 'POST', body: form })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ numAdded: 2 })
  const chunks = await chunksOf(storeId)
  expect(chunkTexts(chunks).sort()).toEqual(['one', 'two'])
  expect(chunks.map(({ metadata }: { metadata: string }) => JSON.parse(metadata).team)).toEqual(['tea', 'tea'])
  const [loader] = (await storeOf(storeId)).loaders
  expect(loader).toMatchObject({ loaderId: 'fileLoader', filesTotal: 2 })
})

it('a refresh with items does an upsert for each of them', async () => {
  const storeId = await newStore(ann)
  const items = [plainText('one'), plainText('two')]
  const answer = await call(ann, 'POST', `/document-store/refresh/${storeId}`, { items })
  expect([200, 202]).toContain(answer.status)
  expect(answer.body).toHaveLength(2)
  await expect.poll(() => textsOf(storeId)).toEqual(['one', 'two'])
})

describe('the upsert history', () => {
  it('lists what embedded or refreshed in both orders, and forgets what it is told to', async () => {
    const storeId = await newStore(ann)
    const first = await upsert(storeId, plainText('one'))
    const second = await upsert(storeId, plainText('two', 'three'))
    await ok(ann, 'POST', `/document-store/loader/process/${first.docId}`, {})
    const idsOf = async (query: string) =>
      (await ok(ann, 'GET', `/upsert-history/${storeId}${query}`)).map(({ id }: { id: string }) => id)
    expect(await idsOf('?order=ASC')).toEqual([first.jobId, second.jobId])
    expect(await idsOf('')).toEqual([second.jobId, first.jobId])
    expect(await idsOf('?startDate=2099-01-01T00:00:00.000Z')).toEqual([])
    expect(await ok(ann, 'PATCH', '/upsert-history', { ids: [first.jobId] })).toMatchObject({ affected: 1 })
    expect(await idsOf('')).toEqual([second.jobId])
  })

  it('keeps the last hundred jobs', async () => {
    const storeId = await newStore(ann)
    const { docId } = await upsert(storeId, plainText('one'))
    const old = { workspaceId: (await storeOf(storeId)).workspaceId, storeId, kind: 'upsert', state: 'done' } as const
    const dates = { createdDate: '2026-01-01T00:00:00.000Z', endedDate: '2026-01-01T00:00:00.000Z' }
    const rows = Array.from({ length: 120 }, (_, at) => ({ ...old, ...dates, id: `${storeId} ${at}`, request: {} }))
    await heddle.database.insert(documentJobs).values(rows)
    await ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
    const kept = await heddle.database.select().from(documentJobs).where(eq(documentJobs.storeId, storeId))
    expect(kept).toHaveLength(100)
  })
})

it('two jobs of a store run one after the other', async () => {
  const storeId = await newStore(ann)
  const { docId } = await upsert(storeId, plainText('one'))
  const ids = await Promise.all([start(ann, `/loader/process/${docId}`), start(ann, `/loader/process/${docId}`)])
  await Promise.all(ids.map((id) => expect.poll(async () => (await readJob(ann, id)).state).toBe('done')))
  const jobs = (await Promise.all(ids.map((id) => readJob(ann, id)))).sort((a, b) =>
    (a.startedDate ?? '') < (b.startedDate ?? '') ? -1 : 1,
  )
  expect((jobs[0]?.endedDate ?? '') <= (jobs[1]?.startedDate ?? '')).toBe(true)
  expect(await textsOf(storeId)).toEqual(['one'])
  expect((await call(ann, 'POST', `/document-store/jobs/${ids[0]}/cancel`)).status).toBe(409)
  expect(await act(ann, ids[1] as string, 'retry').catch(() => 'refused')).toBe('refused')
})
