/** Document stores, their loaders and the files that are sent to them. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FILE_QUOTA_BYTES } from '#contract/files/files.ts'
import { documentLoaders, documentSources, documentStores, fileDeletions } from '#db/schema/index.ts'
import { call as callApi } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, node, start } from '../../../e2e/support/flows.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())

const call = (client: TestClient, method: string, path: string, json?: unknown) =>
  callApi(client, method, `/document-store${path}`, json)

async function createStore(name = 'Handbook', client = ann): Promise<string> {
  const { status, body } = await call(client, 'POST', '/store', { name, description: 'What everybody asks' })
  expect(status).toBe(200)
  return body.id
}

async function send(storeId: string, name: string, bytes: BodyInit, client = ann) {
  const response = await client.fetch(
    `/api/v1/document-store/store/${storeId}/files?name=${encodeURIComponent(name)}`,
    {
      method: 'POST',
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    },
  )
  return { status: response.status, body: await response.json() }
}

const plainText = (storeId: string, more: object = {}) => ({
  storeId,
  loaderId: 'plainText',
  loaderConfig: { text: 'Tea is at four.' },
  ...more,
})
const uri = (name: string, text: string, mime = 'text/plain') =>
  `data:${mime};base64,${Buffer.from(text).toString('base64')},filename:${name}`
const files = (storeId: string, value: unknown) => ({ storeId, loaderId: 'fileLoader', loaderConfig: { file: value } })
const saveLoader = (body: object, client = ann) => call(client, 'POST', '/loader/save', body)

describe('a store', () => {
  it('is created, listed, read, changed and deleted', async () => {
    const id = await createStore('Tea')
    const { body: made } = await call(ann, 'GET', `/store/${id}`)
    expect(made).toMatchObject({
      id,
      name: 'Tea',
      status: 'EMPTY',
      loaders: [],
      whereUsed: [],
      usageCount: 0,
      job: null,
    })
    const { body: changed } = await call(ann, 'PUT', `/store/${id}`, { name: 'Coffee ☕ قهوة' })
    expect(changed).toMatchObject({ id, name: 'Coffee ☕ قهوة', description: 'What everybody asks' })
    expect((await call(ann, 'GET', '/store?search=coffee')).body).toEqual([changed])
    expect((await call(ann, 'GET', '/store?search=tea')).body).toEqual([])
    expect((await call(ann, 'GET', '/store?page=1&limit=5&search=coffee')).body).toEqual({ data: [changed], total: 1 })
    expect((await call(ann, 'DELETE', `/store/${id}`)).body).toEqual({ raw: [], affected: 1 })
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await call(ann, method, `/store/${id}`, method === 'PUT' ? {} : undefined)).status).toBe(404)
  })

  it('stays private to its workspace', async () => {
    const id = await createStore('Private')
    const { body: loader } = await saveLoader(plainText(id))
    for (const [method, path, json] of [
      ['GET', `/store/${id}`],
      ['PUT', `/store/${id}`, { name: 'Taken' }],
      ['DELETE', `/store/${id}`],
      ['POST', '/loader/save', plainText(id)],
      ['POST', '/loader/save', plainText(await createStore('Hers', bob), { id: loader.id })],
      ['DELETE', `/loader/${id}/${loader.id}`],
    ] as const)
      expect([method, path, (await call(bob, method, path, json)).status]).toEqual([method, path, 404])
    expect((await send(id, 'a.txt', 'hello', bob)).status).toBe(404)
    expect((await call(bob, 'GET', '/store?search=Private')).body).toEqual([])
    expect((await call(ann, 'GET', `/store/${id}`)).body).toMatchObject({
      name: 'Private',
      loaders: [{ id: loader.id }],
    })
  })

  it('names the flows that use it', async () => {
    const id = await createStore('Used')
    const retriever = node('retrieverAgentflow', 0, {
      retrieverKnowledgeDocumentStores: [{ documentStore: `${id}:Used` }],
    })
    const flow = chain(start(), retriever, directReply('Hi'))
    const flowData = JSON.stringify(flow)
    const { body: saved } = await callApi(ann, 'POST', '/chatflows', { name: 'Helper', flowData, type: 'AGENTFLOW' })
    expect((await call(ann, 'GET', `/store/${id}`)).body).toMatchObject({
      whereUsed: [{ id: saved.id, name: 'Helper' }],
      usageCount: 1,
    })
    const { body: usages } = await callApi(ann, 'GET', `/usages?kind=documentStore&asset=${id}`)
    expect(usages).toMatchObject({ data: [{ kind: 'flow', name: 'Helper' }], total: 1 })
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'x'.repeat(10_000) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: 'a', description: 'x'.repeat(20_000) }, 'description'],
  ])('is refused with a field that is wrong', async (body, field) => {
    const refused = await call(ann, 'POST', '/store', body)
    expect([refused.status, refused.body.field]).toEqual([400, field])
  })

  it('is refused with a name of 10 MB', async () => {
    expect((await call(ann, 'POST', '/store', { name: 'x'.repeat(10_000_000) })).status).toBe(413)
  })
})

describe('a loader', () => {
  it('is saved, replaced and deleted, and moves its store', async () => {
    const id = await createStore()
    const { status, body: loader } = await saveLoader(plainText(id))
    expect(status).toBe(200)
    expect(loader).toMatchObject({
      loaderId: 'plainText',
      status: 'SYNCING',
      loaderConfig: { text: 'Tea is at four.' },
    })
    expect((await call(ann, 'GET', `/store/${id}`)).body.status).toBe('STALE')
    const replaced = await saveLoader(plainText(id, { id: loader.id, loaderConfig: { text: 'At five.' } }))
    expect(replaced.body).toMatchObject({ id: loader.id, loaderConfig: { text: 'At five.' } })
    const { body: store } = await call(ann, 'DELETE', `/loader/${id}/${loader.id}`)
    expect(store).toMatchObject({ id, status: 'EMPTY', loaders: [] })
    expect((await call(ann, 'DELETE', `/loader/${id}/${loader.id}`)).status).toBe(404)
  })

  it('stores the files of its inputs under names of their own', async () => {
    const id = await createStore()
    const list = JSON.stringify([
      uri('../../etc/pass\u202ewd.txt', 'one'),
      uri('أهلا 👋.md', '# two'),
      uri('أهلا 👋.md', 'three'),
    ])
    const { status, body } = await saveLoader(files(id, list))
    expect(status).toBe(200)
    const names = ['passwd.txt', 'أهلا 👋.md', 'أهلا 👋 (2).md']
    expect(body.loaderConfig.file).toBe(`FILE-STORAGE::${JSON.stringify(names)}`)
    expect(body.source).toBe(names.join(', '))
    expect(body.files.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort())
    expect(body).toMatchObject({ filesTotal: 3, filesFailed: 0, conflicts: 0 })
    expect((await call(ann, 'GET', `/store/${id}`)).body.totalBytes).toBe(13)
    await call(ann, 'DELETE', `/loader/${id}/${body.id}`)
    expect((await call(ann, 'GET', `/store/${id}`)).body.totalBytes).toBe(0)
    expect(await heddle.database.$count(fileDeletions)).toBeGreaterThanOrEqual(3)
  })

  it.each([
    ['one that nobody sent', 'FILE-STORAGE::["nowhere.pdf"]', 'There is no file "nowhere.pdf"'],
    ['text that is not base64', 'data:text/plain;base64,%%%,filename:a.txt', 'Send each file as'],
    ['a name without bytes', 'data:text/plain;base64,,filename:a.txt', 'empty'],
    ['a PDF that is none', uri('a.pdf', 'hello', 'application/pdf'), 'not a PDF file'],
  ])('takes no file such as %s', async (_, value, reason) => {
    const { status, body } = await saveLoader(files(await createStore(), value))
    expect([status, body.field]).toEqual([400, 'loaderConfig.file'])
    expect(body.message).toContain(reason)
  })

  it.each([
    [{ loaderId: 'nothing' }, 'loaderId'],
    [{ splitterId: 'nothing' }, 'splitterId'],
    [{ credential: 'nothing' }, 'credential'],
    [{ loaderConfig: { text: 'a\u0000b' } }, 'loaderConfig.text'],
    [{ loaderConfig: { text: 'x'.repeat(10_000_000) } }, 'loaderConfig'],
  ])('is refused with a field that is wrong', async (more, field) => {
    const { status, body } = await saveLoader(plainText(await createStore(), more))
    expect([status, body.field]).toEqual([400, field])
  })

  it('says which inputs an upsert may override', async () => {
    const id = await createStore('Overridden')
    const splitter = { splitterId: 'characterTextSplitter', splitterConfig: {} }
    const { body: loader } = await saveLoader(plainText(id, splitter))
    const embeddings = { embeddingName: 'openAIEmbeddings', embeddingConfig: {} }
    await call(ann, 'POST', '/vectorstore/save', { storeId: id, ...embeddings })
    const { status, body } = await call(ann, 'GET', `/store-configs/${id}/${loader.id}`)
    expect(status).toBe(200)
    const named = body.map(({ nodeId, name }: { nodeId: string; name: string }) => `${nodeId} ${name}`)
    expect(named).toEqual(
      expect.arrayContaining(['plainText_0 text', 'characterTextSplitter_0 chunkSize', 'openAIEmbeddings_0 modelName']),
    )
    expect(named.filter((each: string) => each.endsWith('credential'))).toEqual([])
    expect((await call(ann, 'GET', `/store-configs/${id}/none`)).status).toBe(404)
    expect((await call(bob, 'GET', `/store-configs/${id}/${loader.id}`)).status).toBe(404)
  })

  it('is refused when its store has a hundred', async () => {
    const id = await createStore()
    const { body } = await saveLoader(plainText(id))
    const [row] = await heddle.database.select().from(documentLoaders).where(eq(documentLoaders.id, body.id))
    const more = Array.from({ length: 99 }, (_, index) => ({ ...row, id: `${body.id}-${index}` }))
    await heddle.database.insert(documentLoaders).values(more as never)
    const refused = await saveLoader(plainText(id))
    expect([refused.status, refused.body.field]).toEqual([400, 'storeId'])
  })

  it('makes its store a user of its credential', async () => {
    const secret = { name: 'Key', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk' } }
    const { body: credential } = await callApi(ann, 'POST', '/credentials', secret)
    const id = await createStore('Locked')
    const { body: loader } = await saveLoader(plainText(id, { credential: credential.id }))
    expect(loader.credential).toBe(credential.id)
    const usages = async () => (await callApi(ann, 'GET', `/usages?kind=credential&asset=${credential.id}`)).body
    expect(await usages()).toMatchObject({ data: [{ kind: 'documentStore', id, name: 'Locked' }], total: 1 })
    await call(ann, 'DELETE', `/loader/${id}/${loader.id}`)
    expect(await usages()).toEqual({ data: [], total: 0 })
  })
})

describe('a sent file', () => {
  it('gets a name of its own, also when several of that name arrive at once', async () => {
    const id = await createStore()
    const sent = await Promise.all(Array.from({ length: 6 }, () => send(id, 'a.txt', 'hello')))
    expect(sent.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(sent.map(({ body }) => body.name).sort()).toEqual(
      ['a.txt', 'a (2).txt', 'a (3).txt', 'a (4).txt', 'a (5).txt', 'a (6).txt'].sort(),
    )
    expect((await call(ann, 'GET', `/store/${id}`)).body.totalBytes).toBe(30)
  })

  it('belongs to the loader that names it', async () => {
    const id = await createStore()
    await send(id, 'a.md', '# Tea')
    const { body } = await saveLoader(files(id, 'FILE-STORAGE::["a.md"]'))
    expect(body.files).toMatchObject([{ name: 'a.md', mimePrefix: 'text/markdown', size: 5, status: 'NEW' }])
    const other = await saveLoader(files(id, 'FILE-STORAGE::["a.md"]'))
    expect([other.status, other.body.field]).toEqual([400, 'loaderConfig.file'])
    const { body: replaced } = await saveLoader({ ...files(id, uri('b.md', 'Coffee')), id: body.id })
    expect(replaced.files).toMatchObject([{ name: 'b.md' }])
  })

  it.each([
    ['empty', 'a.txt', '', 'empty'],
    ['a picture', 'a.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 'picture'],
    ['no PDF', 'a.pdf', 'hello', 'not a PDF'],
  ])('is refused when it is %s', async (_, name, bytes, reason) => {
    const { status, body } = await send(await createStore(), name, bytes)
    expect(status).toBe(400)
    expect(body.message).toContain(reason)
  })

  it('is refused past 50 MB', async () => {
    const { status } = await send(await createStore(), 'a.txt', 'x'.repeat(50 * 1024 ** 2 + 1))
    expect(status).toBe(413)
  })

  it('is refused when its workspace has no room', async () => {
    const id = await createStore()
    const full = { totalBytes: FILE_QUOTA_BYTES - 4 }
    await heddle.database.update(documentStores).set(full).where(eq(documentStores.id, id))
    const { status, body } = await send(id, 'a.txt', 'hello')
    expect([status, body.field]).toEqual([413, 'body'])
    expect((await saveLoader(files(id, uri('a.txt', 'hello')))).status).toBe(413)
    await call(ann, 'DELETE', `/store/${id}`)
  })

  it('is deleted after a day, unless a loader took it', async () => {
    const id = await createStore()
    await send(id, 'left.txt', 'left')
    await send(id, 'taken.txt', 'taken')
    await saveLoader(files(id, 'FILE-STORAGE::["taken.txt"]'))
    await heddle.scheduled()
    const names = async () =>
      (await heddle.database.select().from(documentSources).where(eq(documentSources.storeId, id))).map(
        ({ name }) => name,
      )
    expect((await names()).sort()).toEqual(['left.txt', 'taken.txt'])
    await heddle.database
      .update(documentSources)
      .set({ createdDate: new Date(Date.now() - 25 * 3600_000).toISOString() })
      .where(eq(documentSources.storeId, id))
    await heddle.scheduled()
    expect(await names()).toEqual(['taken.txt'])
    expect((await call(ann, 'GET', `/store/${id}`)).body.totalBytes).toBe(5)
  })
})

it('lists what stores are made with', async () => {
  for (const [kind, name] of [
    ['loaders', 'plainText'],
    ['splitters', 'recursiveCharacterTextSplitter'],
    ['embeddings', 'openAIEmbeddings'],
    ['vectorstore', 'libsqlShelf'],
    ['rerankers', 'cohereRerank'],
  ]) {
    const { status, body } = await call(ann, 'GET', `/components/${kind}`)
    expect(status).toBe(200)
    expect(body.map((each: { name: string }) => each.name)).toContain(name)
  }
  expect((await call(ann, 'GET', '/components/recordmanager')).body).toEqual([])
})
