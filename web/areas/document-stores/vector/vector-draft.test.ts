import { expect, it } from 'vitest'
import { buildSaveRequest, changesEmbedder, checkVector, vectorDraft } from './vector-draft.ts'

const empty = {
  id: 's',
  embeddingConfig: null,
  vectorStoreConfig: null,
  recordManagerConfig: null,
  searchConfig: null,
  scheduleConfig: null,
}
const nothing = {
  storeId: 's',
  embeddingName: null,
  embeddingConfig: null,
  vectorStoreName: null,
  vectorStoreConfig: null,
  recordManagerName: null,
  recordManagerConfig: null,
  searchConfig: null,
  scheduleConfig: null,
}
const openAI = { name: 'openAIEmbeddings', config: { modelName: 'small' } }
const pinecone = { name: 'pinecone', config: { pineconeIndex: 'i' } }
const complete = { embedding: undefined, vectorStore: undefined }

it('a new store is searched by words only, without anything to save', () => {
  expect(buildSaveRequest(empty, vectorDraft(empty, 'UTC'))).toEqual(nothing)
})

it('what is stored passes through the form', () => {
  const store = {
    ...empty,
    embeddingConfig: openAI,
    vectorStoreConfig: pinecone,
    recordManagerConfig: { name: 'postgresRecordManager', config: { host: 'h' } },
    searchConfig: { mode: 'vector' as const, topK: 6 },
    scheduleConfig: { cron: '30 6 * * 1', timezone: 'Europe/Berlin', endDate: '2027-05-04T10:11:12.000Z' },
  }
  expect(buildSaveRequest(store, vectorDraft(store, 'UTC'))).toEqual({
    storeId: 's',
    embeddingName: 'openAIEmbeddings',
    embeddingConfig: openAI.config,
    vectorStoreName: 'pinecone',
    vectorStoreConfig: pinecone.config,
    recordManagerName: 'postgresRecordManager',
    recordManagerConfig: { host: 'h' },
    searchConfig: store.searchConfig,
    scheduleConfig: store.scheduleConfig,
  })
})

it('without embeddings no vector store is kept', () => {
  const draft = {
    ...vectorDraft({ ...empty, embeddingConfig: openAI, vectorStoreConfig: pinecone }, 'UTC'),
    embedding: null,
  }
  expect(buildSaveRequest(empty, draft)).toEqual(nothing)
})

it('the embedded index stands for no vector store', () => {
  const store = { ...empty, embeddingConfig: openAI, vectorStoreConfig: { name: 'libsqlShelf', config: {} } }
  expect(vectorDraft(store, 'UTC').vectorStore).toBeNull()
})

it('names what components, searches and schedules lack', () => {
  const draft = { ...vectorDraft(empty, 'UTC'), embedding: openAI, topK: '0', isScheduled: true }
  const broken = { ...draft, timing: { ...draft.timing, by: 'cron' as const, cron: 'daily' } }
  const missing = { embedding: 'Choose a credential.', vectorStore: 'Fill in “Index”.' }
  expect(Object.keys(checkVector(broken, missing).fields).sort()).toEqual(['cron', 'embedding', 'topK', 'vectorStore'])
  expect(checkVector({ ...broken, topK: '', isScheduled: false }, complete).fields).toEqual({})
  expect(
    checkVector({ ...draft, topK: '', embedding: null, isScheduled: false }, { ...complete, vectorStore: 'x' }).fields,
  ).toEqual({})
})

it('only other embeddings of a store that has some embed everything anew', () => {
  const store = { ...empty, embeddingConfig: openAI }
  const draft = vectorDraft(store, 'UTC')
  expect(changesEmbedder(store, draft)).toBe(false)
  expect(changesEmbedder(store, { ...draft, embedding: { ...openAI, config: { modelName: 'large' } } })).toBe(true)
  expect(changesEmbedder(store, { ...draft, embedding: null })).toBe(false)
  expect(changesEmbedder(empty, draft)).toBe(false)
})
