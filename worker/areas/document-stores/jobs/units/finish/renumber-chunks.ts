/**
 * Numbers the chunks of a loader from 1, in the order in which its sources were listed, a few hundred in each unit. On the
 * way up those are written whose number falls, on the way down those whose number rises: so chunks stand in their order
 * after each unit, whichever of them were written.
 */
import { and, asc, desc, eq, gte, inArray, lte, or, sql } from 'drizzle-orm'
import { documentChunks, documentSources } from '#db/schema/index.ts'
import { type JobContext, type Statement, writeUnit } from '../../job-context.ts'
import type { ChunkWalk, LoaderRow } from '../../rows/job-rows.ts'

const SOURCES_PER_UNIT = 200
const CHUNKS_PER_UNIT = 500

interface Numbered {
  /** Characters of all chunks of the loader. */
  chars: number
  /** What the last of them become. */
  statements: Statement[]
}

/** One unit of it. Returns undefined when there is more to do. */
export async function renumberChunks(task: JobContext, loader: LoaderRow): Promise<Numbered | undefined> {
  const walk = task.cursor.walk ?? { number: 0, chars: 0 }
  const { isDown = false } = walk
  const { chunks, next, isEnd } = await chunksBehind(task, loader, walk)
  const placed = chunks.map((chunk, at) => ({ ...chunk, number: isDown ? walk.number - at : walk.number + 1 + at }))
  const rises = !isDown && (walk.rises === true || placed.some(({ no, number }) => number > no))
  const statements = renumber(
    task,
    placed.filter(({ no, number }) => (isDown ? number > no : number < no)),
  )
  const chars = isDown ? walk.chars : placed.reduce((sum, chunk) => sum + chunk.chars, walk.chars)
  if (isEnd && !rises) return { chars, statements }
  const number = isDown ? walk.number - placed.length : walk.number + placed.length
  const further = isEnd ? { isDown: true } : { ...next, isDown, rises }
  await writeUnit(task, { cursor: { ...task.cursor, walk: { ...further, number, chars } }, statements })
  return undefined
}

interface PlacedChunk {
  row: number
  no: number
  chars: number
}

interface Behind {
  chunks: PlacedChunk[]
  /** Where the walk goes on. */
  next: Pick<ChunkWalk, 'source' | 'after'>
  /** Nothing is behind them. */
  isEnd: boolean
}

/** Reads the chunks of a few sources, or a part of a large one's. */
async function chunksBehind(task: JobContext, loader: LoaderRow, walk: ChunkWalk): Promise<Behind> {
  const sources = await sourcesBehind(task, loader, walk)
  const taken = takeSome(sources)
  const last = taken.at(-1)
  if (!last) return { chunks: [], next: {}, isEnd: true }
  const { isDown, after } = walk
  const [only] = taken.length === 1 || after !== undefined ? sources : []
  if (!only) {
    const found = await readChunks(task, { ids: taken.map(({ id }) => id), isDown })
    const ofSource = Map.groupBy(found, ({ sourceId }) => sourceId)
    const isEnd = taken.length === sources.length && sources.length < SOURCES_PER_UNIT
    return { chunks: taken.flatMap(({ id }) => ofSource.get(id) ?? []), next: { source: behind(last, isDown) }, isEnd }
  }
  const chunks = await readChunks(task, { ids: [only.id], isDown, after, limit: CHUNKS_PER_UNIT })
  const end = chunks.at(-1)
  if (end && chunks.length === CHUNKS_PER_UNIT)
    return { chunks, next: { source: only.row, after: [end.no, end.row] }, isEnd: false }
  return { chunks, next: { source: behind(only, isDown) }, isEnd: sources.length === 1 }
}

interface WalkedSource {
  id: string
  row: number
  /** As was counted when it was read. */
  chunks: number
}

const behind = ({ row }: WalkedSource, isDown = false) => (isDown ? row - 1 : row + 1)

async function sourcesBehind({ db, rows }: JobContext, { id: loaderId }: LoaderRow, { source, isDown }: ChunkWalk) {
  const { id, docId, chunks } = documentSources
  const row = sql<number>`${documentSources}.rowid`
  const isBehind = source === undefined ? undefined : isDown ? lte(row, source) : gte(row, source)
  const found: WalkedSource[] = await db
    .select({ id, row, chunks })
    .from(documentSources)
    .where(rows.foundInWorkspace(documentSources, and(eq(docId, loaderId), isBehind)))
    .orderBy(isDown ? desc(row) : asc(row))
    .limit(SOURCES_PER_UNIT)
  return found
}

/** Returns the first, and those behind it as long as a unit can take all their chunks. */
function takeSome(sources: WalkedSource[]): WalkedSource[] {
  let sum = 0
  const tooMany = sources.findIndex(({ chunks }) => {
    sum += chunks
    return sum > CHUNKS_PER_UNIT
  })
  return tooMany === -1 ? sources : sources.slice(0, Math.max(1, tooMany))
}

/** @param after the number and row of the chunk behind which to begin */
async function readChunks(
  { db, rows }: JobContext,
  {
    ids,
    isDown,
    after,
    limit,
  }: { ids: string[]; isDown: boolean | undefined; after?: ChunkWalk['after']; limit?: number },
) {
  const { sourceId, chunkNo, pageContent } = documentChunks
  const row = sql<number>`${documentChunks}.rowid`
  const [from, behind] = isDown ? ([lte, sql`<`] as const) : ([gte, sql`>`] as const)
  const isBehind =
    after && and(from(chunkNo, after[0]), or(sql`${chunkNo} <> ${after[0]}`, sql`${row} ${behind} ${after[1]}`))
  const found = db
    .select({ sourceId, row, no: chunkNo, chars: isDown ? sql<number>`0` : sql<number>`length(${pageContent})` })
    .from(documentChunks)
    .where(rows.foundInWorkspace(documentChunks, and(inArray(sourceId, ids), isBehind)))
    .orderBy(isDown ? desc(chunkNo) : asc(chunkNo), isDown ? desc(row) : asc(row))
  return limit === undefined ? found : found.limit(limit)
}

function renumber({ db, rows }: JobContext, chunks: { row: number; number: number }[]): Statement[] {
  if (chunks.length === 0) return []
  const list = JSON.stringify(chunks.map(({ row, number }) => [row, number]))
  return [
    db.run(sql`update ${documentChunks} set chunk_no = i.value ->> 1 from json_each(${list}) i
      where ${rows.foundInWorkspace(documentChunks, sql`${documentChunks}.rowid = i.value ->> 0`)}`),
  ]
}
