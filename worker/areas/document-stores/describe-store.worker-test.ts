import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentChunks, documentLoaders, documentSources } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { type ModelServer, startModelServer } from '../../../e2e/support/model-server.ts'

let heddle: TestHeddle
let model: ModelServer
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  model = await startModelServer()
  heddle = await startTestHeddle({ platformType: 'cloud', allowPrivateHosts: model.host })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await model.close()
})

const selectedChatModel = () => ({
  name: 'chatOpenAICustom',
  inputs: { modelName: 'scripted', basepath: model.baseUrl },
})
const describeStore = (id: string, client = ann) =>
  call(client, 'POST', `/document-store/generate-tool-desc/${id}`, { selectedChatModel: selectedChatModel() })

async function createStore(): Promise<string> {
  const { body } = await call(ann, 'POST', '/document-store/store', { name: 'Handbook', description: 'House rules' })
  const { id: storeId, workspaceId } = body
  const now = new Date().toISOString()
  const dates = { createdDate: now, updatedDate: now }
  const loader = { id: `l-${storeId}`, workspaceId, storeId, loaderId: 'plainText', loaderName: 'Text' }
  await heddle.database.insert(documentLoaders).values({ ...loader, loaderConfig: '{}', status: 'SYNC', ...dates })
  const source = { id: `s-${storeId}`, workspaceId, storeId, docId: loader.id, key: 'a', name: 'a' }
  await heddle.database.insert(documentSources).values({ ...source, status: 'SYNC', ...dates })
  const chunk = (chunkNo: number, pageContent: string, isEnabled: boolean) => ({
    ...{ id: `${chunkNo}-${storeId}`, workspaceId, storeId, docId: loader.id, sourceId: source.id, chunkNo },
    ...{ pageContent, metadata: '{}', hash: String(chunkNo), originHash: String(chunkNo), isEnabled },
  })
  await heddle.database
    .insert(documentChunks)
    .values([chunk(1, 'Thirty days of holiday.', true), chunk(2, 'Nobody finds this.', false)])
  return storeId
}

it('lets the chosen model describe a store by what is found in it', async () => {
  const id = await createStore()
  model.reply({ text: ' Searches the house rules on holidays. ' })
  expect((await describeStore(id)).body).toEqual({ content: 'Searches the house rules on holidays.' })
  const sent = JSON.stringify(model.requests.at(-1)?.body.messages)
  expect(sent).toContain('Thirty days of holiday.')
  expect(sent).toContain('Handbook: House rules')
  expect(sent).not.toContain('Nobody finds this.')
})

it('describing a store says why the model could not be asked', async () => {
  const id = await createStore()
  model.reply({ error: { status: 401, message: 'Wrong key' } })
  const { status, body } = await describeStore(id)
  expect(status).toBe(422)
  expect(body.message).toContain('Wrong key')
})

it('describing a store does not see stores of another workspace', async () => {
  const id = await createStore()
  const before = model.requests.length
  expect((await describeStore(id, bob)).status).toBe(404)
  expect(model.requests).toHaveLength(before)
})
