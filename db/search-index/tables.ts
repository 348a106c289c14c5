/** The tables of one search index and the statements on them. Only `search-index.ts` imports this. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { pairOf, SECOND_AT, SKETCH_BYTES, sketchOf } from './sketch.ts'
import type { HitOptions, SearchIndex, SearchIndexHit } from './types.ts'
import { toIndexedText, toMatch } from './words.ts'

/** A statement that writes as many does not keep other writers waiting. */
const VECTORS_PER_STATEMENT = 50
/** So many vectors with the nearest sketches are compared for each chunk asked for, and at least as many. */
const LOOKED_AT_FOR_EACH = 10
const LEAST_LOOKED_AT = 400
/** Share of the pairs of sketches whose vectors are compared; the best match is seldom in a worse pair. */
const PAIRS_LOOKED_INTO = 0.08
/** So many pairs, evenly spread, tell how near that share is. */
const SAMPLE = 512
const PLACES = JSON.stringify(Array.from({ length: SAMPLE }, (_, place) => place))
const FARTHER_THAN_ALL = 1e9

type NewTables = Pick<SearchIndex, 'id' | 'embedder' | 'dimensions' | 'hasSketches'>

/** The names of the search index's tables, which are the only text of SQL that an id becomes. */
export function nameTables(id: string) {
  if (!/^[0-9a-f]{32}$/.test(id)) throw new Error('The id of a search index must be 32 hex digits')
  const name = (part: string) => sql.identifier(`shelf_${id}_${part}`)
  return { words: name('words'), entries: name('entries'), vectors: name('vectors'), sketches: name('sketches') }
}

/** Statements that make the tables of a new search index. */
export function creation(db: Database, searchIndex: NewTables) {
  const { words, entries } = nameTables(searchIndex.id)
  return [
    db.run(sql`create table ${entries} (
      id integer primary key, chunk_id text not null unique, hash text not null, has_vector integer not null default 0)`),
    db.run(sql`create index ${sql.identifier(`shelf_${searchIndex.id}_hash`)} on ${entries} (hash)`),
    db.run(
      sql`create index ${sql.identifier(`shelf_${searchIndex.id}_missing`)} on ${entries} (hash) where has_vector = 0`,
    ),
    db.run(sql`create virtual table ${words} using fts5(
      text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`),
    ...vectorCreation(db, searchIndex),
  ]
}

/**
 * Sketches have a table of their own, which is small enough to be read whole by each search. Two stand in a row, those of
 * the vectors 2n and 2n + 1: calling a function is what comparing costs, and a pair is compared in one call. libSQL's index
 * of vectors finds fewer of the nearest in more time, takes eight times the room and loses neighbors of what is deleted
 * (`npm run bench -- knowledge`).
 */
export function vectorCreation(db: Database, { id, dimensions }: Pick<SearchIndex, 'id' | 'dimensions'>) {
  if (dimensions === null) return []
  if (!Number.isInteger(dimensions) || dimensions < 1)
    throw new Error('The dimensions of a search index must be a number')
  const { vectors, sketches } = nameTables(id)
  return [
    db.run(sql`create table ${vectors} (
      id integer primary key, hash text not null unique, v ${sql.identifier(`F32_BLOB(${dimensions})`)} not null)`),
    db.run(sql`create table ${sketches} (id integer primary key, bits blob not null)`),
    db.run(sql`create trigger ${sql.identifier(`shelf_${id}_unsketch`)} after delete on ${vectors} begin
      delete from ${sketches} where id = old.id >> 1
        and not exists (select 1 from ${vectors} where id in (old.id - 1, old.id + 1) and id >> 1 = old.id >> 1); end`),
  ]
}

export function searchIndexOf(db: Database, { id, embedder, dimensions, hasSketches }: NewTables): SearchIndex {
  const tables = nameTables(id)
  const open = { db, id, dimensions, hasSketches, ...tables }
  return {
    id,
    embedder,
    dimensions,
    hasSketches,
    lacks: ({ id: chunkId, hash }) => {
      const { entries } = tables
      return sql`not exists (select 1 from ${entries} where ${entries}.chunk_id = ${chunkId} and ${entries}.hash = ${hash})`
    },
    writeEntries: (entries) => writeEntries(open, entries),
    removeEntries: (chunkIds) => removeEntries(open, chunkIds),
    keepEntries: (chunkIds) => keepEntries(open, chunkIds),
    strayEntries: (range) => strayEntries(open, range),
    writeVectors: (vectors) => writeVectors(open, vectors),
    async missingHashes(limit, among) {
      if (embedder === null) return []
      const { entries } = tables
      const rows = await db.all<{ hash: string }>(
        sql`select distinct hash from ${entries} where has_vector = 0${only(open, among)} order by hash limit ${limit}`,
      )
      return rows.map(({ hash }) => hash)
    },
    lastHashes: (limit) =>
      dimensions === null ? undefined : sql`select hash from ${tables.vectors} order by id desc limit ${limit}`,
    async embeddedChunks(limit, among) {
      const { entries } = tables
      const rows = await db.all<{ chunkId: string }>(
        sql`select chunk_id as "chunkId" from ${entries} where has_vector = 1${only(open, among)} order by id limit ${limit}`,
      )
      return rows.map(({ chunkId }) => chunkId)
    },
    removeVectors: (chunkIds) => removeVectors(open, chunkIds),
    removeUnusedVectors: () => removeUnusedVectors(open),
    wordHits: (query, options) => wordHits(open, query, options),
    async searchWords(query, options) {
      const hits = wordHits(open, query, options)
      return hits ? db.all<SearchIndexHit>(hits) : []
    },
    searchVectors: (vector, options) => searchVectors(open, vector, options),
    readVectors: (hashes) => readVectors(open, hashes),
  }
}

interface OpenSearchIndex extends ReturnType<typeof nameTables> {
  db: Database
  id: string
  dimensions: number | null
  hasSketches: boolean
}

const only = ({ entries }: OpenSearchIndex, among: HitOptions['among']) =>
  among ? sql` and ${among(sql`${entries}.chunk_id`)}` : sql``

/** A parameter that a statement reads as rows. */
const listOf = (values: unknown[]): SQL => sql`json_each(${JSON.stringify(values)})`

function writeEntries(
  { db, words, entries, dimensions, vectors }: OpenSearchIndex,
  written: Parameters<SearchIndex['writeEntries']>[0],
) {
  if (written.length === 0) return []
  const rows = listOf(written.map(({ chunkId, hash }) => [chunkId, hash]))
  const texts = listOf(written.map(({ chunkId, text }) => [chunkId, toIndexedText(text)]))
  const chunkIds = listOf(written.map(({ chunkId }) => chunkId))
  // Elsewhere each chunk has a vector of its own, even when another has the same text.
  const hasVector =
    dimensions === null ? sql`0` : sql`exists (select 1 from ${vectors} where ${vectors}.hash = row.value ->> 1)`
  return [
    db.run(sql`delete from ${words} where rowid in (
      select id from ${entries} where chunk_id in (select value from ${chunkIds}))`),
    db.run(sql`insert into ${entries} (chunk_id, hash, has_vector)
      select row.value ->> 0, row.value ->> 1, ${hasVector} from ${rows} row where true
      on conflict (chunk_id) do update set hash = excluded.hash, has_vector = excluded.has_vector`),
    db.run(sql`insert into ${words} (rowid, text)
      select ${entries}.id, row.value ->> 1 from ${texts} row cross join ${entries} on ${entries}.chunk_id = row.value ->> 0`),
  ]
}

function removeEntries({ db, words, entries }: OpenSearchIndex, chunkIds: string[] | SQL) {
  if (Array.isArray(chunkIds) && chunkIds.length === 0) return []
  const ids = Array.isArray(chunkIds) ? sql`select value from ${listOf(chunkIds)}` : chunkIds
  const removed = sql`chunk_id in (${ids})`
  return [
    db.run(sql`delete from ${words} where rowid in (select id from ${entries} where ${removed})`),
    db.run(sql`delete from ${entries} where ${removed}`),
  ]
}

function keepEntries({ db, words, entries }: OpenSearchIndex, chunkIds: SQL) {
  const isOther = sql`chunk_id not in (${chunkIds})`
  return [
    db.run(sql`delete from ${words} where rowid in (select id from ${entries} where ${isOther})`),
    db.run(sql`delete from ${entries} where ${isOther}`),
  ]
}

async function strayEntries(
  { db, entries }: OpenSearchIndex,
  { from, limit, isThere }: Parameters<SearchIndex['strayEntries']>[0],
) {
  const [row] = await db.all<{ last: number | null; strays: string }>(
    sql`select max(id) as last, json_group_array(chunk_id) filter (where not ${isThere(sql`next.chunk_id`)}) as strays
      from (select id, chunk_id from ${entries} where id > ${from} order by id limit ${limit}) next`,
  )
  return { last: row?.last ?? undefined, strays: JSON.parse(row?.strays ?? '[]') as string[] }
}

function writeVectors(searchIndex: OpenSearchIndex, written: Parameters<SearchIndex['writeVectors']>[0]) {
  const { db, entries, vectors, dimensions, hasSketches } = searchIndex
  const parts = Array.from({ length: Math.ceil(written.length / VECTORS_PER_STATEMENT) }, (_, part) =>
    written.slice(part * VECTORS_PER_STATEMENT, (part + 1) * VECTORS_PER_STATEMENT),
  )
  return parts.flatMap((part) => {
    const hashes = listOf(part.map(({ hash }) => hash))
    const mark = db.run(sql`update ${entries} set has_vector = 1 where hash in (select value from ${hashes})`)
    if (dimensions === null) return [mark]
    const rows = listOf(part.map(({ hash, vector }) => [hash, toHex(toBytes(vector, dimensions))]))
    const insert = db.run(sql`insert into ${vectors} (hash, v)
      select row.value ->> 0, unhex(row.value ->> 1) from ${rows} row where true on conflict (hash) do nothing`)
    if (!hasSketches) return [insert, mark]
    return [insert, ...sketchInsertions(searchIndex, part), mark]
  })
}

/** Statements that put the sketches into their half of a pair. */
function sketchInsertions(
  { db, vectors, sketches }: OpenSearchIndex,
  written: Parameters<SearchIndex['writeVectors']>[0],
) {
  const drawn = written.map(({ hash, vector }) => ({ hash, sketch: sketchOf(vector) }))
  const halves = [
    {
      half: 0,
      pairs: drawn.map(({ hash, sketch }) => [hash, toHex(pairOf(sketch, undefined))]),
      kept: sql`excluded.bits`,
      added: sql`bits`,
    },
    {
      half: 1,
      pairs: drawn.map(({ hash, sketch }) => [hash, toHex(pairOf(undefined, sketch))]),
      kept: sql`bits`,
      added: sql`excluded.bits`,
    },
  ]
  return halves.map(({ half, pairs, kept, added }) =>
    db.run(sql`insert into ${sketches} (id, bits)
      select ${vectors}.id >> 1, unhex(row.value ->> 1) from ${listOf(pairs)} row
      cross join ${vectors} on ${vectors}.hash = row.value ->> 0 where ${vectors}.id & 1 = ${half}
      on conflict (id) do update set bits = cast(substr(${kept}, 1, ${SECOND_AT}) || substr(${added}, ${SECOND_AT + 1}) as blob)`),
  )
}

/** A vector that a chunk of the same text still has stays. */
function removeVectors({ db, entries, vectors, dimensions }: OpenSearchIndex, chunkIds: string[]) {
  const isListed = sql`chunk_id in (select value from ${listOf(chunkIds)})`
  const mark = db.run(sql`update ${entries} set has_vector = 0 where ${isListed}`)
  if (dimensions === null) return [mark]
  const unused = sql`select id from ${vectors} where hash in (select hash from ${entries} where ${isListed})
    and not exists (select 1 from ${entries} where ${entries}.hash = ${vectors}.hash and has_vector = 1)`
  return [mark, db.run(sql`delete from ${vectors} where id in (${unused})`)]
}

function removeUnusedVectors({ db, entries, vectors, dimensions }: OpenSearchIndex) {
  if (dimensions === null) return []
  const unused = sql`select id from ${vectors} where not exists (
    select 1 from ${entries} where ${entries}.hash = ${vectors}.hash)`
  return [db.run(sql`delete from ${vectors} where id in (${unused})`)]
}

async function readVectors({ db, vectors, dimensions }: OpenSearchIndex, hashes: string[]) {
  if (dimensions === null || hashes.length === 0) return new Map<string, Float32Array>()
  const rows = await db.all<{ hash: string; v: ArrayBuffer }>(
    sql`select hash, v from ${vectors} where hash in (select value from ${listOf(hashes)})`,
  )
  return new Map(rows.map(({ hash, v }) => [hash, new Float32Array(v)]))
}

function wordHits({ words, entries }: OpenSearchIndex, query: string, { k, among }: HitOptions): SQL | undefined {
  const match = toMatch(query)
  if (match === undefined) return undefined
  if (among) {
    return sql`select ${entries}.chunk_id as "chunkId", -${words}.rank as score
      from ${words} cross join ${entries} on ${entries}.id = ${words}.rowid
      where ${words} match ${match} and ${among(sql`${entries}.chunk_id`)} order by ${words}.rank limit ${k}`
  }
  return sql`select ${entries}.chunk_id as "chunkId", -hit.rank as score from (
      select rowid, rank from ${words} where ${words} match ${match} order by rank limit ${k}
    ) hit cross join ${entries} on ${entries}.id = hit.rowid order by hit.rank`
}

/** The nearest by their sketches are compared as they are. */
async function searchVectors(
  searchIndex: OpenSearchIndex,
  vector: number[],
  { k, among, exact = false }: HitOptions & { exact?: boolean },
): Promise<SearchIndexHit[]> {
  const { db, dimensions, hasSketches } = searchIndex
  if (dimensions === null) return []
  const query = toBytes(vector, dimensions)
  const statement =
    exact || !hasSketches
      ? comparedHits(searchIndex, query, { k, among })
      : sketchedHits(searchIndex, query, { k, among, sketch: sketchOf(vector) })
  return db.all<SearchIndexHit>(statement)
}

function sketchedHits(
  searchIndex: OpenSearchIndex,
  query: Uint8Array,
  { k, among, sketch }: HitOptions & { sketch: Uint8Array },
) {
  const { vectors, entries } = searchIndex
  const lookedAt = Math.max(LEAST_LOOKED_AT, k * LOOKED_AT_FOR_EACH)
  const near = among ? nearAmong(searchIndex, sketch, among) : nearInPairs(searchIndex, sketch, lookedAt)
  return sql`select ${entries}.chunk_id as "chunkId", 1 - vector_distance_cos(${vectors}.v, ${query}) as score
    from (${near} limit ${lookedAt}) near
    cross join ${vectors} on ${vectors}.id = near.id
    cross join ${entries} on ${entries}.hash = ${vectors}.hash and ${entries}.has_vector = 1
    where true${only(searchIndex, among)} order by score desc, ${entries}.id limit ${k}`
}

function nearAmong(
  { vectors, entries, sketches }: OpenSearchIndex,
  sketch: Uint8Array,
  among: NonNullable<HitOptions['among']>,
) {
  return sql`select distinct ${vectors}.id from ${entries} cross join ${vectors} on ${vectors}.hash = ${entries}.hash
    cross join ${sketches} on ${sketches}.id = ${vectors}.id >> 1
    where ${entries}.has_vector = 1 and ${among(sql`${entries}.chunk_id`)}
    order by vector_distance_cos(${halfOf(sketches, sql`(${vectors}.id & 1)`)}, ${sketch})`
}

/** A pair is as near as both of its sketches together; each of those in near pairs is then compared by itself. */
function nearInPairs({ sketches }: OpenSearchIndex, sketch: Uint8Array, lookedAt: number) {
  const pair = pairOf(sketch, sketch)
  const pairs = sql`(select max(id) + 1 from ${sketches})`
  const sampled = sql`select vector_distance_cos(${sketches}.bits, ${pair}) as distance from json_each(${PLACES}) place
    cross join ${sketches} on ${sketches}.id = cast(place.value * ${pairs} / ${SAMPLE} as integer)`
  const share = sql`cast(max(${PAIRS_LOOKED_INTO * SAMPLE}, ${SAMPLE * lookedAt} / ${pairs}) as integer)`
  return sql`select 2 * ${sketches}.id + half.second as id
    from ${sketches} cross join (select 0 as second union all select 1) half
    where vector_distance_cos(${sketches}.bits, ${pair}) <= coalesce((
      select distance from (${sampled}) order by distance limit 1 offset ${share}), ${FARTHER_THAN_ALL})
    order by vector_distance_cos(${halfOf(sketches, sql`half.second`)}, ${sketch})`
}

const halfOf = (sketches: OpenSearchIndex['sketches'], second: SQL) =>
  sql`substr(${sketches}.bits, 1 + ${SECOND_AT} * ${second}, ${SKETCH_BYTES})`

function comparedHits({ vectors, entries }: OpenSearchIndex, query: Uint8Array, { k, among }: HitOptions) {
  if (among) {
    return sql`select ${entries}.chunk_id as "chunkId", 1 - vector_distance_cos(${vectors}.v, ${query}) as score
      from ${entries} cross join ${vectors} on ${vectors}.hash = ${entries}.hash
      where ${entries}.has_vector = 1 and ${among(sql`${entries}.chunk_id`)} order by score desc, ${entries}.id limit ${k}`
  }
  return sql`select ${entries}.chunk_id as "chunkId", 1 - near.distance as score from (
      select hash, vector_distance_cos(v, ${query}) as distance from ${vectors} order by distance limit ${k}
    ) near cross join ${entries} on ${entries}.hash = near.hash and ${entries}.has_vector = 1 order by near.distance, ${entries}.id limit ${k}`
}

function toBytes(vector: number[], dimensions: number): Uint8Array {
  if (vector.length !== dimensions)
    throw new Error(`The embeddings returned ${vector.length} numbers, but this index was made for ${dimensions}`)
  if (!vector.every(Number.isFinite)) throw new Error('The embeddings returned something that is not a number')
  return new Uint8Array(Float32Array.from(vector).buffer)
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
