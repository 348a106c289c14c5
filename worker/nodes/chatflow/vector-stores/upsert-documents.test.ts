// @defends upsert-nothing-lets
import { describe, expect, it } from 'vitest'
import { compileUpsert } from '../../../engine/chat-plan.ts'
import type { VectorEntry, VectorStore } from '../../../knowledge/types.ts'
import type { Embeddings } from '../../../models/embeddings/types.ts'
import type { UpsertRecords } from '../../../ports/types.ts'
import type { ChatNodeType, ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { drawChat, runChat } from '../testing/chat.ts'
import { documentAnchor, embeddingsAnchor, recordManagerAnchor } from './definition.ts'
import { upsertDocuments } from './upsert-documents.ts'

const definition = { version: 1, description: '', inputs: [] }

/** A store that keeps what is written, and how much came at once. */
function scriptedStore() {
  const rows = new Map<string, VectorEntry>()
  const batches: number[] = []
  const store: VectorStore = {
    maxBatch: 3,
    async write(entries) {
      batches.push(entries.length)
      for (const entry of entries) rows.set(entry.id, entry)
    },
    async delete(ids) {
      for (const id of ids) rows.delete(id)
    },
    search: async () => [],
  }
  return { rows, batches, store }
}

/** Records in memory, as the database keeps them. */
function recordsInMemory(): UpsertRecords {
  const kept = new Map<string, { namespace: string; source: string; at: number }>()
  return {
    known: async (namespace, ids) => new Set(ids.filter((id) => kept.get(id)?.namespace === namespace)),
    async note(namespace, documents, now) {
      for (const { id, source } of documents) kept.set(id, { namespace, source, at: now.getTime() })
    },
    left: async (namespace, since, sources) =>
      [...kept].flatMap(([id, row]) => {
        const isLeft = row.namespace === namespace && row.at < since.getTime()
        return isLeft && (!sources || sources.includes(row.source)) ? [id] : []
      }),
    async forget(_, ids) {
      for (const id of ids) kept.delete(id)
    },
  }
}

const embeddings: Embeddings = {
  maxBatch: 64,
  identity: 'scripted',
  embed: async (texts) => ({ vectors: texts.map((text) => [text.length]), tokens: texts.length }),
}

const SECOND = 1000
let minute = 0

/** Upserts texts, each under its source. */
async function upsert(
  texts: [source: string, text: string][],
  { store, records, cleanup }: { store: VectorStore; records?: UpsertRecords; cleanup?: string },
) {
  const storeNode: ChatNodeType = {
    definition: {
      ...{ ...definition, label: 'Store', name: 'store', type: 'Store', category: 'Vector Stores' },
      baseClasses: ['Store', 'BaseRetriever'],
      inputs: [documentAnchor, embeddingsAnchor, recordManagerAnchor],
    },
    runsFor: [],
    run: (context) => upsertDocuments(context, async () => store),
  }
  const documents = texts.map(([source, pageContent]) => ({ pageContent, metadata: { source } }))
  const loader: ComponentNodeType = {
    definition: {
      ...{ ...definition, label: 'Loader', name: 'loader', type: 'Document', category: 'Document Loaders' },
      baseClasses: ['Document'],
    },
    provide: async () =>
      toComponent('documents', {
        load: async (onRead) => {
          for (const _ of documents) onRead?.()
          return documents
        },
      }),
  }
  const embedder: ComponentNodeType = {
    definition: {
      ...{ ...definition, label: 'Embedder', name: 'embedder', type: 'Embedder', category: 'Embeddings' },
      baseClasses: ['Embeddings'],
    },
    provide: async () => toComponent('embeddings', embeddings),
  }
  const own = [loader, embedder, storeNode]
  const withRecords = cleanup !== undefined
  const flow = drawChat(
    {
      loader_0: {},
      embedder_0: {},
      store_0: {},
      ...(withRecords && { SQLiteRecordManager_0: { inputs: { cleanup } } }),
    },
    [
      'loader_0 > store_0.document',
      'embedder_0 > store_0.embeddings',
      ...(withRecords ? ['SQLiteRecordManager_0 > store_0.recordManager'] : []),
    ],
    own,
  )
  minute++
  const ended = await runChat(flow, {
    own: [loader, embedder],
    nodes: [storeNode],
    compile: compileUpsert('store_0'),
    clock: { now: () => new Date(minute * SECOND), sleep: async () => {} },
    ...(records && { records }),
  })
  return { ...ended, upsert: ended.rows.at(-1)?.item.data.output?.upsert }
}

describe('an upsert', () => {
  it('writes every document in batches that the store takes, and equal ones once', async () => {
    const { store, rows, batches } = scriptedStore()
    const texts = ['a', 'b', 'c', 'd', 'a'].map((text): [string, string] => ['s', text])
    const { upsert: result, ran } = await upsert(texts, { store })
    expect(ran).toEqual(['store_0'])
    expect(batches).toEqual([3, 1])
    expect([...rows.values()].map(({ text, metadata }) => [text, metadata.source])).toEqual(
      ['a', 'b', 'c', 'd'].map((text) => [text, 's']),
    )
    expect(result).toMatchObject({ numAdded: 4, numDeleted: 0, numUpdated: 0, numSkipped: 0 })
  })

  it('tells after each source how many it has read, and after each batch how many documents it has written', async () => {
    const { store } = scriptedStore()
    const texts = ['a', 'b', 'c', 'd'].map((text): [string, string] => [text, text])
    const { events } = await upsert(texts, { store })
    const progress = events.flatMap(({ event, data }) => (event === 'upsertProgress' ? [data] : []))
    const read = { done: 0, tokens: 0 }
    const all = { sources: 4, chunks: 4 }
    expect(progress).toEqual([
      { ...read, sources: 1 },
      { ...read, sources: 2 },
      { ...read, sources: 3 },
      { ...read, sources: 4 },
      { ...all, done: 0, tokens: 0 },
      { ...all, done: 3, tokens: 3 },
      { ...all, done: 4, tokens: 4 },
    ])
  })

  it('writes the same documents under the same ids again', async () => {
    const { store, rows } = scriptedStore()
    await upsert([['s', 'a']], { store })
    await upsert([['s', 'a']], { store })
    expect(rows.size).toBe(1)
  })

  it('an upsert of no documents is refused, so that no cleanup deletes everything', async () => {
    const { store, rows } = scriptedStore()
    const records = recordsInMemory()
    await upsert([['s', 'a']], { store, records, cleanup: 'full' })
    const { error } = await upsert([], { store, records, cleanup: 'full' })
    expect(error).toContain('The documents are empty. Nothing was written or deleted.')
    expect(rows.size).toBe(1)
  })

  it('an upsert of more documents than a request can write suggests document stores', async () => {
    const { store, rows } = scriptedStore()
    const texts = Array.from({ length: 10_001 }, (_, at): [string, string] => ['s', `${at}`])
    const { error } = await upsert(texts, { store })
    expect(error).toContain('at most 10000. Put them into a document store.')
    expect(rows.size).toBe(0)
  })
})

describe('an upsert with a record manager', () => {
  const first: [string, string][] = [
    ['one', 'a'],
    ['one', 'b'],
    ['two', 'c'],
  ]
  const second: [string, string][] = [
    ['one', 'a'],
    ['one', 'new'],
  ]

  it.each([
    ['none', ['a', 'b', 'c', 'new'], 0],
    ['incremental', ['a', 'c', 'new'], 1],
    ['full', ['a', 'new'], 2],
  ])('the cleanup “%s” leaves %j', async (cleanup, texts, numDeleted) => {
    const { store, rows, batches } = scriptedStore()
    const records = recordsInMemory()
    await upsert(first, { store, records, cleanup })
    const { upsert: result } = await upsert(second, { store, records, cleanup })
    expect(batches).toEqual([3, 1])
    expect([...rows.values()].map(({ text }) => text).sort()).toEqual(texts)
    expect(result).toMatchObject({ numAdded: 1, numSkipped: 1, numDeleted })
  })
})
