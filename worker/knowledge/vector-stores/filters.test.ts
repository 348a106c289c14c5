// @defends metadata-filter-id
/** What each store is sent for a filter, and what it refuses. */
import { describe, expect, it } from 'vitest'
import { failureOf } from '../testing/component.ts'
import { vectorStores } from './index.ts'
import { hosted } from './testing/hosted.ts'
import { selfHosted } from './testing/self-hosted.ts'
import { type Call, startServer } from './testing/server.ts'

type Filter = Record<string, unknown>

const servers = new Map([...hosted, ...selfHosted].map((server) => [server.name, server]))

/** Where the filter stands in the request of a search. */
const FILTER_OF: Record<string, (call: Call) => unknown> = {
  chroma: ({ body }) => body.where,
  weaviate: ({ body }) => /, where: (.*)\) \{ text chunkId/.exec(body.query)?.[1],
  supabase: ({ url, body }) => url.searchParams.get('and') ?? body.filter,
}

async function searching(name: string, filter: Filter) {
  const server = servers.get(name)
  const type = vectorStores.find(({ definition }) => definition.name === name)
  if (!server || !type?.open) throw new Error(`no store ${name}`)
  const { egress, calls } = startServer(server)
  const clock = { now: () => new Date(0), sleep: () => Promise.resolve() }
  const { signal } = new AbortController()
  const store = type.open({ config: server.config, credential: server.credential, egress, clock, signal })
  // The server knows one filter only: what it says to others is no matter here.
  const failure = await failureOf(
    store.search({ vector: [1, 0], topK: 3, filter }).then(() => Promise.reject(new Error())),
  )
  const search = calls.find(({ what }) => /query|search|graphql|rpc/.test(what))
  return { failure, sent: search && (FILTER_OF[name] ?? (({ body }) => body.filter))(search) }
}

const sentFor = async (name: string, filter: Filter) => {
  const { sent, failure } = await searching(name, filter)
  if (sent === undefined) throw failure
  return sent
}

const range = { year: { $gte: 2020, $lt: 2022 } }
const either = { $or: [{ lang: 'en' }, { lang: { $in: ['de', 'fr'] } }] }
const not = { $not: { $or: [{ lang: 'en' }, { year: { $nin: [1, 2] } }] } }
const other = { draft: { $ne: true } }
const exists = { lang: { $exists: true } }

describe.each([
  ['pinecone', range, { $and: [{ year: { $gte: 2020 } }, { year: { $lt: 2022 } }] }],
  ['pinecone', either, { $or: [{ lang: { $eq: 'en' } }, { lang: { $in: ['de', 'fr'] } }] }],
  ['pinecone', not, { $and: [{ lang: { $ne: 'en' } }, { year: { $in: [1, 2] } }] }],
  ['pinecone', exists, { lang: { $exists: true } }],
  ['pinecone', { $not: { year: { $gt: 1 } } }, { $or: [{ year: { $lte: 1 } }, { year: { $exists: false } }] }],
  ['chroma', either, { $or: [{ lang: { $eq: 'en' } }, { lang: { $in: ['de', 'fr'] } }] }],
  ['chroma', other, { draft: { $ne: true } }],
  [
    'qdrant',
    range,
    {
      must: [
        {
          must: [
            { key: 'metadata.year', range: { gte: 2020 } },
            { key: 'metadata.year', range: { lt: 2022 } },
          ],
        },
      ],
    },
  ],
  ['qdrant', other, { must: [{ must_not: [{ key: 'metadata.draft', match: { value: true } }] }] }],
  ['qdrant', { rate: 0.5 }, { must: [{ key: 'metadata.rate', range: { gte: 0.5, lte: 0.5 } }] }],
  ['qdrant', { 'a.b c': 'x' }, { must: [{ key: 'metadata."a.b c"', match: { value: 'x' } }] }],
  ['qdrant', { lang: { $exists: false } }, { must: [{ is_empty: { key: 'metadata.lang' } }] }],
  ['qdrant', { day: { $gt: '2024-01-31' } }, { must: [{ key: 'metadata.day', range: { gt: '2024-01-31' } }] }],
  ['upstash', either, "(lang = 'en' OR lang IN ('de', 'fr'))"],
  ['upstash', not, "(lang != 'en' AND year IN (1, 2))"],
  ['upstash', exists, 'HAS FIELD lang'],
  ['upstash', range, '(year >= 2020 AND year < 2022)'],
  ['milvus', either, '((metadata["lang"] == "en") or (metadata["lang"] in ["de","fr"]))'],
  ['milvus', not, '(not ((metadata["lang"] == "en") or (metadata["year"] not in [1,2])))'],
  ['milvus', exists, '(exists metadata["lang"])'],
  [
    'weaviate',
    either,
    '{operator: Or, operands: [{path: ["lang"], operator: Equal, valueText: "en"}, {operator: Or, operands: [{path: ["lang"], operator: Equal, valueText: "de"}, {path: ["lang"], operator: Equal, valueText: "fr"}]}]}',
  ],
  ['weaviate', other, '{path: ["draft"], operator: NotEqual, valueBoolean: true}'],
  ['weaviate', { year: { $lte: 5 } }, '{path: ["year"], operator: LessThanEqual, valueNumber: 5}'],
  ['weaviate', exists, '{path: ["lang"], operator: IsNull, valueBoolean: false}'],
  ['vectorize', range, { year: { $gte: 2020, $lt: 2022 } }],
  ['vectorize', { $and: [{ lang: { $in: ['en'] } }, other] }, { lang: { $in: ['en'] }, draft: { $ne: true } }],
  ['supabase', { lang: 'en', page: 3 }, { lang: 'en', page: 3 }],
  ['supabase', range, '(and(metadata->year.gte.2020,metadata->year.lt.2022))'],
  ['supabase', either, '(or(metadata->>lang.eq."en",metadata->>lang.in.("de","fr")))'],
  ['supabase', other, '(or(metadata->draft.neq.true,metadata->>draft.is.null))'],
  ['supabase', exists, '(metadata->>lang.not.is.null)'],
  ['supabase', { a: { $in: ['x', 1] } }, '(or(metadata->>a.in.("x"),metadata->a.in.(1)))'],
] as const)('%s writes %j', (name, filter, native) => {
  it('in its own language', async () => {
    expect(await sentFor(name, filter)).toEqual(native)
  })
})

it.each([
  ['chroma', exists, 'Chroma cannot filter by $exists'],
  ['chroma', { day: { $gt: '2024' } }, 'Chroma cannot filter by $gt with text'],
  ['pinecone', { day: { $lt: '2024' } }, 'Pinecone cannot filter by $lt with text'],
  ['qdrant', { name: { $gt: 'm' } }, 'Qdrant cannot filter by $gt with text that is not a date'],
  ['qdrant', { 'a"b': 1 }, 'Qdrant cannot filter by a field with quotes'],
  ['upstash', { day: { $gt: '2024' } }, 'Upstash Vector cannot filter by $gt with text'],
  ['upstash', { 'a b': 1 }, 'Upstash Vector cannot filter by the field "a b"'],
  ['weaviate', { 'a b': 1 }, 'Weaviate cannot filter by the field "a b"'],
  ['weaviate', { id: 'x' }, 'Weaviate cannot filter by the field "id"'],
  ['vectorize', either, 'Cloudflare Vectorize cannot filter by $or'],
  ['vectorize', exists, 'Cloudflare Vectorize cannot filter by $exists'],
  ['vectorize', { 'a.b': 1 }, 'Cloudflare Vectorize cannot filter by a field with a dot'],
  ['vectorize', { $and: [{ a: 1 }, { a: 2 }] }, 'Cloudflare Vectorize cannot filter by two conditions with $eq'],
  ['supabase', { 'a,b': { $ne: 1 } }, 'Supabase cannot filter by the field "a,b"'],
])('%s refuses %j by name', async (name, filter, message) => {
  const { failure, sent } = await searching(name, filter)
  expect(failure.message).toContain(message)
  expect(sent).toBeUndefined()
})

describe('values stay values', () => {
  const sly = String.raw`x" or 1 == 1 or metadata["a"] == "\"; ')}], operands: [],(`

  it('values stay values in an expression of Milvus', async () => {
    const written = String(await sentFor('milvus', { lang: { $ne: sly } }))
    expect(written).toBe(`(metadata["lang"] != ${JSON.stringify(sly)})`)
    expect(literalsIn(written)).toEqual(['lang', sly])
  })

  it('values stay values in the name of a field of Milvus', async () => {
    expect(literalsIn(String(await sentFor('milvus', { [sly]: 1 })))).toEqual([sly])
  })

  it('values stay values in the ids that Milvus deletes', async () => {
    const server = servers.get('milvus')
    const type = vectorStores.find(({ definition }) => definition.name === 'milvus')
    if (!server || !type?.open) throw new Error('no milvus')
    const { egress, calls } = startServer(server)
    const clock = { now: () => new Date(0), sleep: () => Promise.resolve() }
    const { signal } = new AbortController()
    await type.open({ config: server.config, credential: server.credential, egress, clock, signal }).delete([sly])
    expect(literalsIn(calls[0]?.body.filter)).toEqual([sly])
  })

  it('values stay values in GraphQL of Weaviate', async () => {
    const { sent } = await searching('weaviate', { lang: sly })
    expect(sent).toBe(`{path: ["lang"], operator: Equal, valueText: ${JSON.stringify(sly)}}`)
    expect(literalsIn(String(sent))).toEqual(['lang', sly])
  })

  it('values stay values in the URL of PostgREST', async () => {
    const written = String(await sentFor('supabase', { lang: { $ne: sly } }))
    const escaped = sly.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
    expect(written).toBe(`(or(metadata->>lang.neq."${escaped}",metadata->>lang.is.null))`)
    expect(literalsIn(written)).toEqual([sly])
  })

  it('values stay values in the ids that PostgREST deletes', async () => {
    const server = servers.get('supabase')
    const type = vectorStores.find(({ definition }) => definition.name === 'supabase')
    if (!server || !type?.open) throw new Error('no supabase')
    const { egress, calls } = startServer(server)
    const clock = { now: () => new Date(0), sleep: () => Promise.resolve() }
    const { signal } = new AbortController()
    const id = 'a",b)&table=x'
    await type.open({ config: server.config, credential: server.credential, egress, clock, signal }).delete([id])
    expect(calls[0]?.url.searchParams.get('id')).toBe('in.("a\\",b)&table=x")')
    expect([...(calls[0]?.url.searchParams.keys() ?? [])]).toEqual(['id'])
  })

  it('values stay values in the filters of Upstash, which refuse what cannot be quoted', async () => {
    expect(await sentFor('upstash', { lang: "it's" })).toBe('lang = "it\'s"')
    expect(await sentFor('upstash', { lang: 'a "b"' })).toBe('lang = \'a "b"\'')
    const { failure } = await searching('upstash', { lang: sly })
    expect(failure.message).toContain('text with a backslash or with both kinds of quotes')
  })

  it.each(['pinecone', 'chroma', 'qdrant', 'vectorize', 'milvus', 'supabase'])(
    'and no field vanishes in %s, whatever its name',
    async (name) => {
      const filter = JSON.parse('{"__proto__": "x", "lang": "en"}')
      expect(JSON.stringify(await sentFor(name, filter))).toContain('__proto__')
    },
  )
})

/** Returns the quoted texts of an expression, read as its language reads them; what is outside of them is code. */
function literalsIn(written: string): string[] {
  const literals = written.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  const code = written.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
  expect(code).not.toMatch(/1 == 1|operands: \[\]|;|"/)
  return literals.map((literal) => JSON.parse(literal))
}
