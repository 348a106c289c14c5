import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentChunks, documentSources, documentStores } from '#db/schema/index.ts'
import { createSearchIndex } from '#db/search-index/search-index.ts'
import { userOf } from '#worker/http/testing/people.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, node, start } from '../../../e2e/support/flows.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())

const TEXTS = ['Holiday: you have 30 days off', 'Lunch: the canteen opens at noon']

/** Two chunks and the index of a store, as a job leaves them. */
async function fillStore(client: TestClient, id: string, texts: string[]): Promise<void> {
  const db = heddle.database
  const workspaceId = (await userOf(client)).activeWorkspaceId
  const date = '2026-01-01T00:00:00.000Z'
  const own = { workspaceId, storeId: id }
  const dates = { createdDate: date, updatedDate: date }
  const totalChunks = texts.length
  await db.insert(documentStores).values({
    id,
    workspaceId,
    name: 'Handbook',
    description: 'How we work',
    status: 'UPSERTED',
    totalChunks,
    ...dates,
  })
  await db
    .insert(documentSources)
    .values({ id: `${id} file`, ...own, key: 'a.md', name: 'a.md', status: 'SYNC', ...dates })
  const chunks = texts.map((pageContent, at) => ({
    ...{ id: `${id} ${at}`, ...own, docId: `${id} loader`, sourceId: `${id} file`, chunkNo: at + 1, pageContent },
    ...{ metadata: JSON.stringify({ source: 'a.md' }), hash: `hash ${at}`, originHash: '' },
  }))
  await db.insert(documentChunks).values(chunks)
  const searchIndex = await createSearchIndex(db, { workspaceId }, { storeId: id, embedder: null, dimensions: null })
  await db.batch(
    searchIndex.writeEntries(
      chunks.map(({ id: chunkId, hash, pageContent: text }) => ({ chunkId, hash, text })),
    ) as never,
  )
}

/** Runs a flow that searches the store; returns the documents as the retriever passes them on. */
async function retrieve(client: TestClient, documentStore: string, question: string) {
  const retriever = node('retrieverAgentflow', 0, {
    retrieverKnowledgeDocumentStores: [{ documentStore }],
    outputFormat: 'textWithMetadata',
  })
  const flowData = JSON.stringify(chain(start(), retriever))
  const saved = await client.fetch('/api/v1/chatflows', {
    method: 'POST',
    json: { name: 'Search', type: 'AGENTFLOW', flowData },
  })
  const { id } = (await saved.json()) as { id: string }
  const response = await client.fetch(`/api/v1/internal-prediction/${id}`, { method: 'POST', json: { question } })
  return { status: response.status, answer: (await response.json()) as { text?: string; message?: string } }
}

const documentsOf = ({ answer }: Awaited<ReturnType<typeof retrieve>>) => JSON.parse(answer.text ?? 'null')

const storesOf = async (client: TestClient) => {
  const response = await client.fetch('/api/v1/node-load-method/retrieverAgentflow', {
    method: 'POST',
    json: { loadMethod: 'listStores' },
  })
  return response.json()
}

it('a run finds the documents of its own workspace, and another workspace with the same texts changes no score', async () => {
  await fillStore(ann, 'store-of-ann', TEXTS)
  const alone = documentsOf(await retrieve(ann, 'store-of-ann:Handbook', 'holidays'))
  expect(alone).toEqual([
    {
      id: 'store-of-ann 0',
      pageContent: TEXTS[0],
      metadata: { source: 'a.md', docId: 'store-of-ann loader', score: expect.any(Number) },
    },
  ])
  await fillStore(bob, 'store-of-bob', [...TEXTS, ...TEXTS, ...TEXTS])
  expect(documentsOf(await retrieve(ann, 'store-of-ann:Handbook', 'holidays'))).toEqual(alone)
  expect(documentsOf(await retrieve(bob, 'store-of-bob', 'holidays'))).toHaveLength(3)
})

it('a run names a store that is another workspace’s, or that does not exist', async () => {
  for (const store of ['store-of-bob:Handbook', 'none:Handbook']) {
    const { status, answer } = await retrieve(ann, store, 'holidays')
    expect(status).toBeGreaterThanOrEqual(400)
    expect(answer.message).toContain('The document store "Handbook" does not exist in this workspace')
  }
})

it('a canvas is offered the stores of its workspace that have something to find', async () => {
  const workspaceId = (await userOf(ann)).activeWorkspaceId
  const dates = { createdDate: '', updatedDate: '' }
  await heddle.database
    .insert(documentStores)
    .values({ id: 'empty', workspaceId, name: 'Empty', description: '', status: 'EMPTY', ...dates })
  expect(await storesOf(ann)).toEqual([
    { label: 'Handbook', name: 'store-of-ann:Handbook', description: 'How we work' },
  ])
})
