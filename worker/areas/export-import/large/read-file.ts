/**
 * Reads a file that was sent in parts, piece by piece: first all of it, for its items and for what is to be known of the rows
 * that follow them, and then these rows page by page.
 */

import { isRecord } from '#contract/data/json.ts'
import { HeddleError } from '#contract/errors.ts'
import {
  BUNDLE_KEYS,
  type Bundle,
  type BundleRow,
  bundleSchema,
  type Choice,
  FILE_PART_BYTES,
  MAX_TRANSFER_ROWS,
  NOT_EXPORTED,
} from '#contract/export-import/export-import.ts'
import { INVALID_IMPORTED_FILE } from '#contract/flow/document/parse.ts'
import { parse } from '../../../http/decode.ts'
import type { FileStorage } from '../../../ports/types.ts'
import { type ChunkSums, type CountedChunks, chunkSums } from '../document-stores/chunk-sums.ts'
import { isUuid } from '../ids.ts'
import type { TakenIds } from '../import.ts'
import { type ImportRow, partKeys } from './import-rows.ts'
import { type FilePosition, readLists } from './read-lists.ts'

/** Lists whose rows follow the items, in the order in which they are taken, and where each names its flow or store. */
const FOLLOWING = {
  Execution: 'agentflowId',
  ChatMessage: 'chatflowid',
  ChatMessageFeedback: 'chatflowid',
  DocumentStoreFileChunk: 'storeId',
} as const
export type FollowingKey = keyof typeof FOLLOWING
const FOLLOWING_KEYS = Object.keys(FOLLOWING) as FollowingKey[]

/** Characters of all items, whose plan is made in memory. */
const MAX_ITEM_CHARS = 16 * 1024 * 1024
/** How much of a part is read at once. The text of a piece, and what is made of it, takes several times its size. */
const PIECE_BYTES = 512 * 1024
/** Rows of a page, and their characters in the file unless a single row has more. */
const PAGE_ROWS = 500
const PAGE_CHARS = 250_000
const IDS_AT_ONCE = 5000
/** Bytes of the file that are read before what was found is kept; the last row may go beyond. */
const SCAN_BYTES = 1024 * 1024
/** Each is read by itself. A piece ends one, so that a file of 100 MB has some hundred. */
const MAX_STRETCHES = 1000
/** Names of lists in a file, unknown ones included. */
const MAX_LISTS = 1000

interface File {
  fileStorage: FileStorage
  row: ImportRow
}

/** Reads from a byte on. Throws `bad_request` for a file of which a part was never sent. */
async function* readParts({ fileStorage, row }: File, from = 0): AsyncGenerator<Uint8Array> {
  const first = Math.floor(from / FILE_PART_BYTES)
  for (const [index, key] of partKeys(row).slice(first).entries()) {
    const start = index === 0 ? from % FILE_PART_BYTES : 0
    for (let offset = start, end = start + 1; offset < end; offset += PIECE_BYTES) {
      const piece = await fileStorage.readRange(key, { offset, length: PIECE_BYTES })
      if (!piece) throw new HeddleError('bad_request', 'A part of this file is missing. Import it again')
      yield piece.bytes
      end = piece.size
    }
  }
}

/** Rows of a list that stand together. A file may have a list twice. */
export interface Stretch {
  key: FollowingKey
  from: FilePosition
  rows: number
}

interface PageOfRows {
  rows: BundleRow[]
  /** Behind the last one. */
  next: FilePosition
}

/** Yields the next so many rows of a list. */
export async function* readPages(file: File, { key, from, rows }: Stretch): AsyncGenerator<PageOfRows> {
  let left = rows
  let page: BundleRow[] = []
  let chars = 0
  for await (const { row, length, next } of readLists(readParts(file, from.offset), (each) => each === key, from)) {
    page.push(row as BundleRow)
    chars += length
    left -= 1
    if (left > 0 && page.length < PAGE_ROWS && chars < PAGE_CHARS) continue
    yield { rows: page, next }
    if (left === 0) return
    page = []
    chars = 0
  }
}

/** Counts of everything that was read of a file so far. */
export interface Scanned {
  /** Characters of its items. */
  chars: number
  rows: number
  /** Rows of its lists. */
  counts: ReadonlyMap<string, number>
}

export const NOTHING_SCANNED: Scanned = { chars: 0, rows: 0, counts: new Map() }

/** Everything that an import has to know of a piece of a file. */
export interface ScannedPiece {
  /** Rows as JSON, by the names of their lists. */
  items: [key: string, json: string][]
  chunks: CountedChunks[]
  stretches: Stretch[]
  /** Following rows whose ids are not free, or are none. */
  following: { key: FollowingKey; id: string; owner: string | undefined }[]
  taken: TakenIds
}

interface Scan {
  /** Undefined for the beginning. */
  from: FilePosition | undefined
  scanned: Scanned
  /** Returns which of these ids of following rows are in use. */
  takenIds(ids: string[]): Promise<TakenIds>
}

interface ScanResult {
  piece: ScannedPiece
  scanned: Scanned
  /** Undefined at the end of the file. */
  next: FilePosition | undefined
}

/** Throws `bad_request` for rows that are none, and `too_large` when the items do not fit into memory. */
export async function scanPiece(file: File, { from, scanned, takenIds }: Scan): Promise<ScanResult> {
  const counts = new Map(scanned.counts)
  const chunks = chunkSums()
  const piece = { items: [] as ScannedPiece['items'], stretches: [] as Stretch[] }
  const waiting: ScannedPiece['following'] = []
  let { chars, rows } = scanned
  let next: FilePosition | undefined
  for await (const read of readLists(readParts(file, from?.offset), () => true, from)) {
    const { key, row, length, at } = read
    rows += 1
    countRow(counts, key)
    if (KNOWN_LISTS.has(key)) {
      if (!isRecord(row)) throw new HeddleError('bad_request', INVALID_IMPORTED_FILE)
      if (isFollowing(key)) {
        if (key === 'DocumentStoreFileChunk') chunks.add([row])
        addToStretch(piece.stretches, key, at)
        const owner = row[FOLLOWING[key]]
        if (typeof row.id === 'string')
          waiting.push({ key, id: row.id, owner: typeof owner === 'string' ? owner : undefined })
      } else {
        chars += length
        if (chars > MAX_ITEM_CHARS) throw tooLarge()
        piece.items.push([key, JSON.stringify(row)])
      }
    }
    next = read.next
    if (next.offset - (from?.offset ?? 0) >= SCAN_BYTES || waiting.length >= IDS_AT_ONCE) break
    next = undefined
  }
  const taken = await takenIds(waiting.map(({ id }) => id))
  const following = waiting.filter(isNotFree(taken))
  return { piece: { ...piece, chunks: chunks.entries(), following, taken }, scanned: { chars, rows, counts }, next }
}

const KNOWN_LISTS = new Set<string>([...BUNDLE_KEYS, NOT_EXPORTED])

const isFollowing = (key: string): key is FollowingKey => key in FOLLOWING

function isNotFree({ taken, owners }: TakenIds) {
  const used = new Set(taken)
  const chunks = new Map(owners)
  return ({ key, id }: { key: FollowingKey; id: string }) =>
    !isUuid(id) || (key === 'DocumentStoreFileChunk' ? chunks.has(id) : used.has(id))
}

function addToStretch(stretches: Stretch[], key: FollowingKey, at: FilePosition): void {
  const last = stretches.at(-1)
  if (last?.key === key && at.rows === last.from.rows + last.rows) last.rows += 1
  else stretches.push({ key, from: at, rows: 1 })
}

interface ItemsOfFile {
  /** Its lists of following rows hold only those whose ids are not free, without their columns. */
  bundle: Bundle
  own: Set<string>
  taken: Set<string>
  owners: Map<string, string>
  chunks: ChunkSums
  /** In the order in which their rows are taken. */
  stretches: Stretch[]
}

/** Puts the pieces of a file together. Throws `bad_request` that names the invalid field. */
export function itemsOfFile(
  pieces: readonly ScannedPiece[],
  { counts, choices }: { counts: Scanned['counts']; choices: Record<string, Choice> },
): ItemsOfFile {
  const lists: Record<string, BundleRow[]> = {}
  const chunks = chunkSums()
  for (const piece of pieces) {
    for (const [key, json] of piece.items) {
      lists[key] ??= []
      lists[key].push(JSON.parse(json))
    }
    chunks.merge(piece.chunks)
  }
  const all = pieces.flatMap(({ following }) => following)
  const rowsOf = (key: FollowingKey) =>
    all.flatMap((each) => (each.key === key ? { id: each.id, [FOLLOWING[key]]: each.owner } : []))
  const following = Object.fromEntries(FOLLOWING_KEYS.map((key) => [key, rowsOf(key)]))
  const bundle = parse(bundleSchema, { ...lists, choices })
  const others = [...counts].filter(([key]) => !KNOWN_LISTS.has(key))
  const unknown = Object.fromEntries(others.map(([key, count]) => [key, Array(count)]))
  const taken = pieces.map((piece) => piece.taken)
  const stretches = pieces.flatMap((piece) => piece.stretches)
  if (stretches.length > MAX_STRETCHES) throw scattered()
  return {
    bundle: { ...unknown, ...bundle, ...following } as Bundle,
    own: new Set(taken.flatMap(({ own }) => own)),
    taken: new Set(taken.flatMap((each) => each.taken)),
    owners: new Map(taken.flatMap(({ owners }) => owners)),
    ...{ chunks, stretches: FOLLOWING_KEYS.flatMap((key) => stretches.filter((each) => each.key === key)) },
  }
}

const scattered = () =>
  new HeddleError(
    'too_large',
    'The lists of this file stand in more than 1,000 places. Put the rows of each list together',
  )

const tooLarge = () =>
  new HeddleError(
    'too_large',
    'The flows, assistants, tools and settings of document stores in a file may have 16 MB in all. Export them separately',
  )

function countRow(counts: Map<string, number>, key: string): void {
  const count = (counts.get(key) ?? 0) + 1
  if (count === 1 && counts.size >= MAX_LISTS) throw new HeddleError('too_large', 'The file has more than 1,000 lists')
  counts.set(key, count)
  if (count > MAX_TRANSFER_ROWS) {
    throw new HeddleError('too_large', `${key} has more than ${MAX_TRANSFER_ROWS.toLocaleString('en')} rows`)
  }
}
