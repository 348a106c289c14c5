// @defends key-appears-error
import { describe, expect, it, test } from 'vitest'
import { ProviderRefusal } from '../../providers/service.ts'
import type { ComponentContext } from '../../providers/types.ts'
import { failureOf } from '../testing/component.ts'
import type { VectorEntry, VectorStore } from '../types.ts'
import { vectorStores } from './index.ts'
import { hosted } from './testing/hosted.ts'
import { selfHosted } from './testing/self-hosted.ts'
import { KEY, type StoreServer, startServer, type Table } from './testing/server.ts'

const servers = [...hosted, ...selfHosted]

type Changes = Partial<Table> & Partial<Pick<StoreServer, 'config' | 'credential'>>

function open(server: StoreServer, { config, credential, ...table }: Changes = {}) {
  const started = startServer(server, table)
  const context: ComponentContext = {
    config: { ...server.config, ...config },
    credential: { ...server.credential, ...credential },
    egress: started.egress,
    clock: { now: () => new Date(0), sleep: () => Promise.resolve() },
    signal: new AbortController().signal,
  }
  const type = vectorStores.find(({ definition }) => definition.name === server.name)
  if (!type?.open) throw new Error(`no vector store ${server.name}`)
  return { ...started, store: type.open(context) }
}

const english: VectorEntry = {
  id: 'chunk-1',
  vector: [1, 0],
  text: 'All “quoted” text\nin two lines',
  metadata: { lang: 'en', page: 3, isDraft: false },
}
const german: VectorEntry = {
  id: 'chunk-2',
  vector: [0, 1],
  text: 'Deutsch',
  metadata: { lang: 'de', page: 4, isDraft: true },
}

const idsOf = async (store: VectorStore, filter?: Record<string, unknown>) =>
  (await store.search({ vector: [0.1, 1], topK: 5, ...(filter && { filter }) })).map(({ id }) => id)

test('every remote store is in the suite', () => {
  const remote = vectorStores.filter((type) => type.open).map(({ definition }) => definition.name)
  expect(servers.map(({ name }) => name).sort()).toEqual(remote.sort())
})

test('the embedded index is the one that callers open themselves', () => {
  expect(vectorStores.filter((type) => !type.open).map(({ definition }) => definition.name)).toEqual(['libsqlShelf'])
})

describe.each(servers)('$name', (server) => {
  it('finds what was written, nearest first, with text and metadata', async () => {
    const { store } = open(server)
    await store.write([english, german])
    const hits = await store.search({ vector: [1, 0.1], topK: 2 })
    expect(hits.map(({ id, text, metadata }) => ({ id, text, metadata }))).toEqual(
      [english, german].map(({ id, text, metadata }) => ({ id, text, metadata })),
    )
    expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score as number)
    expect(await store.search({ vector: [1, 0.1], topK: 1 })).toHaveLength(1)
  })

  it('overwrites an entry that is written again', async () => {
    const { store, table } = open(server)
    await store.write([english, german])
    await store.write([{ ...english, text: 'new', vector: [0.5, 0.5] }])
    expect(table.rows.size).toBe(2)
    const hits = await store.search({ vector: [0.5, 0.5], topK: 1 })
    expect(hits[0]).toMatchObject({ id: 'chunk-1', text: 'new' })
  })

  it('deletes entries, and knows that some are not there', async () => {
    const { store } = open(server)
    await store.delete(['chunk-1'])
    await store.write([english, german])
    await store.delete(['chunk-2', 'chunk-9'])
    expect(await idsOf(store)).toEqual(['chunk-1'])
  })

  it('searches with a filter', async () => {
    const { store } = open(server)
    await store.write([english, german])
    expect(await idsOf(store)).toEqual(['chunk-2', 'chunk-1'])
    expect(await idsOf(store, { lang: 'en' })).toEqual(['chunk-1'])
  })

  it('sends no request for a filter that is none', async () => {
    const { store, calls } = open(server)
    expect((await failureOf(idsOf(store, { lang: { $regex: 'e' } }))).message).toContain('$regex is unknown')
    expect(calls).toEqual([])
  })

  it.each(['{"must": []}', { equals: 'en' }])('refuses a filter in its own language: %j', async (value) => {
    const { store, calls } = open(server, { config: { importedFilter: value } })
    await expect(idsOf(store)).rejects.toThrow('“importedFilter” is not supported')
    expect(calls).toEqual([])
    await expect(idsOf(open(server, { config: { importedFilter: ' {} ' } }).store)).resolves.toEqual([])
  })

  it('passes on a refusal without the key', async () => {
    const secret = Object.entries(server.credential).find(([, value]) => value === KEY)?.[0] as string
    const { store } = open(server, { credential: { [secret]: 'key-wrong-1' } })
    for (const work of [() => store.write([english]), () => idsOf(store), () => store.delete(['chunk-1'])]) {
      const error = await failureOf(work() as Promise<unknown>)
      expect(error).toBeInstanceOf(ProviderRefusal)
      expect((error as ProviderRefusal).status).toBe(401)
      expect(error.message).not.toContain('key-wrong-1')
    }
  })

  it('says how to make what does not exist', async () => {
    const { store } = open(server, { exists: false })
    for (const work of [() => store.write([english]), () => idsOf(store)]) {
      const { message } = await failureOf(work() as Promise<unknown>)
      expect(message).toMatch(/does not exist\. (Make|In Supabase’s SQL editor make)/)
    }
  })

  it('says in clear words that the dimensions differ', async () => {
    const { store } = open(server)
    const long = { ...english, vector: [1, 0, 0] }
    for (const work of [() => store.write([long]), () => store.search({ vector: [1, 0, 0], topK: 1 })]) {
      const { message } = await failureOf(work() as Promise<unknown>)
      expect(message).toContain('the embeddings have 3 dimensions')
      expect(message).toContain('Choose the embeddings that it was made for')
    }
  })

  it('names the input that is missing', () => {
    const [first] = Object.keys(server.config).filter((name) => !/Type|Namespace|Partition/.test(name))
    const changes = first === undefined ? { credential: { UPSTASH_VECTOR_REST_URL: '' } } : { config: { [first]: '' } }
    if (first !== 'chromaURL') expect(() => open(server, changes)).toThrow('is empty')
  })
})

describe('particulars', () => {
  const named = (name: string) => servers.find((server) => server.name === name) as StoreServer

  it('a filter of the store itself narrows every search', async () => {
    const { store } = open(named('chroma'), { config: { chromaMetadataFilter: '{"lang": "en"}' } })
    await store.write([english, german])
    expect(await idsOf(store)).toEqual(['chunk-1'])
  })

  it('both filters hold together', async () => {
    const { store, calls } = open(named('vectorize'), { config: { vectorizeMetadataFilter: { lang: 'en' } } })
    await failureOf(idsOf(store, { page: { $gte: 3 } }))
    expect(calls[0]?.body.filter).toEqual({ lang: { $eq: 'en' }, page: { $gte: 3 } })
  })

  it('metadata that a store cannot hold is written as JSON text', async () => {
    const { store, table } = open(named('pinecone'))
    await store.write([{ ...english, metadata: { lang: 'en', loc: { from: 1 }, none: null } }])
    expect(table.rows.get('chunk-1')?.metadata).toEqual({ lang: 'en', loc: '{"from":1}' })
  })

  it('long writes are cut to what one request may have', async () => {
    const { store, calls } = open(named('pinecone'), { dimension: 3000 })
    const vector = Array.from({ length: 3000 }, (_, at) => at + 0.5)
    await store.write(Array.from({ length: 60 }, (_, at) => ({ ...english, id: `${at}`, vector })))
    const sizes = calls.filter(({ what }) => what === 'POST /vectors/upsert').map(({ text }) => text.length)
    expect(sizes.length).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThan(2_000_000)
  })

  it('text that Vectorize cannot hold is cut', async () => {
    const { store, table } = open(named('vectorize'))
    await store.write([{ ...english, text: 'ü"'.repeat(10_000) }])
    const [hit] = await store.search({ vector: [1, 0], topK: 1 })
    expect(hit?.text.length).toBeGreaterThan(2000)
    expect(JSON.stringify(table.rows.get('chunk-1')?.metadata)).toSatisfy(
      (kept: string) => new TextEncoder().encode(kept).length <= 10_000,
    )
  })

  it('more hits than Vectorize describes are read in a second step', async () => {
    const { store } = open(named('vectorize'))
    await store.write(Array.from({ length: 45 }, (_, at) => ({ ...english, id: `chunk-${at}`, text: `text ${at}` })))
    const hits = await store.search({ vector: [1, 0], topK: 45 })
    expect(hits.map(({ text }) => text)).toEqual(Array.from({ length: 45 }, (_, at) => `text ${at}`))
  })

  it('Zilliz Cloud takes a key alone', async () => {
    const { store, calls } = open(named('milvus'), { credential: { milvusUser: '' } })
    await failureOf(idsOf(store))
    expect(calls[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}`)
  })

  it.each([
    [{ weaviateConnectionType: 'cloud', weaviateHost: 'a.weaviate.cloud' }, 'https://a.weaviate.cloud'],
    [
      { weaviateConnectionType: 'custom', weaviateHost: 'a.example.com', weaviateHttpSecure: false },
      'http://a.example.com',
    ],
    [{ weaviateConnectionType: 'cloud', weaviateHost: 'http://a.example.com/' }, 'http://a.example.com'],
  ])('Weaviate with %j is at %s', async (config, origin) => {
    const { store, calls } = open(named('weaviate'), { config })
    await failureOf(idsOf(store))
    expect(calls[0]?.url.origin).toBe(origin)
  })

  it('a name of a Weaviate collection cannot end a query', () => {
    const config = { weaviateIndex: 'Handbook{x}' }
    expect(() => open(named('weaviate'), { config })).toThrow('a collection is named with a capital letter')
    expect(() => open(named('weaviate'), { config: { weaviateTextKey: 'a b' } })).toThrow('cannot be the name')
  })
})
