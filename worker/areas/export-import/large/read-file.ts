/** Reads a file that was sent in parts: its items as a bundle, and the rows that follow them page by page. */

import { isRecord } from '#contract/data/json.ts'
import { HeddleError } from '#contract/errors.ts'
import {
  BUNDLE_KEYS,
  type Bundle,
  type BundleRow,
  bundleSchema,
  type Choice,
  MAX_TRANSFER_ROWS,
  NOT_EXPORTED,
} from '#contract/export-import/export-import.ts'
import { INVALID_IMPORTED_FILE } from '#contract/flow/document/parse.ts'
import { parse } from '../../../http/decode.ts'
import type { FileStorage } from '../../../ports/types.ts'
import { type ChunkSums, chunkSums } from '../document-stores/chunk-sums.ts'
import { isUuid } from '../ids.ts'
import type { TakenIds } from '../import.ts'
import { type ImportRow, partKeys } from './import-rows.ts'
import { readLists } from './read-lists.ts'

/** Lists whose rows follow the items, in the order in which they are taken, and where each names its flow or store. */
const FOLLOWING = {
  Execution: 'agentflowId',
  ChatMessage: 'chatflowid',
  ChatMessageFeedback: 'chatflowid',
  DocumentStoreFileChunk: 'storeId',
} as const
export type FollowingKey = keyof typeof FOLLOWING
export const FOLLOWING_KEYS = Object.keys(FOLLOWING) as FollowingKey[]

/** Characters of all items, whose plan is made in memory. */
const MAX_ITEM_CHARS = 16 * 1024 * 1024
/** How much of a part is read at once. The text of a piece, and what is made of it, takes several times its size. */
const PIECE_BYTES = 512 * 1024
/** Rows of a page, and their characters in the file unless a single row has more. */
const PAGE_ROWS = 500
const PAGE_CHARS = 250_000
const IDS_AT_ONCE = 5000
/** Names of lists in a file, unknown ones included. */
const MAX_LISTS = 1000

interface File {
  fileStorage: FileStorage
  row: ImportRow
}

/** Throws `bad_request` for a file of which a part was never sent. */
async function* readParts({ fileStorage, row }: File): AsyncGenerator<Uint8Array> {
  for (const key of partKeys(row)) {
    for (let offset = 0, end = 1; offset < end; offset += PIECE_BYTES) {
      const piece = await fileStorage.readRange(key, { offset, length: PIECE_BYTES })
      if (!piece) throw new HeddleError('bad_request', 'A part of this file is missing. Import it again')
      yield piece.bytes
      end = piece.size
    }
  }
}

/** Yields the rows of one list. */
export async function* readPages(file: File, key: FollowingKey): AsyncGenerator<BundleRow[]> {
  let page: BundleRow[] = []
  let chars = 0
  for await (const { row, length } of readLists(readParts(file), (each) => each === key)) {
    page.push(row as BundleRow)
    chars += length
    if (page.length < PAGE_ROWS && chars < PAGE_CHARS) continue
    yield page
    page = []
    chars = 0
  }
  if (page.length > 0) yield page
}

interface Reading {
  choices: Record<string, Choice>
  /** Returns which of these ids of following rows are in use, and tells how many rows were read. */
  takenIds(ids: string[], rowsRead: number): Promise<TakenIds>
}

interface ItemsOfFile {
  /** Its lists of following rows hold only those whose ids are not free, without their columns. */
  bundle: Bundle
  own: Set<string>
  taken: Set<string>
  owners: Map<string, string>
  chunks: ChunkSums
  /** Rows of the file, by their lists. */
  counts: ReadonlyMap<string, number>
}

/** Throws `bad_request` that names the invalid field, and `too_large` when the items do not fit into memory. */
export async function readItems(file: File, { choices, takenIds }: Reading): Promise<ItemsOfFile> {
  const lists: Record<string, BundleRow[]> = {}
  const counts = new Map<string, number>()
  const known = new Set<string>([...BUNDLE_KEYS, NOT_EXPORTED])
  const following = followingIds(takenIds)
  const chunks = chunkSums()
  let chars = 0
  let rows = 0
  for await (const { key, row, length } of readLists(readParts(file), () => true)) {
    rows += 1
    countRow(counts, key)
    if (!known.has(key)) continue
    if (!isRecord(row)) throw new HeddleError('bad_request', INVALID_IMPORTED_FILE)
    if (key in FOLLOWING) {
      if (key === 'DocumentStoreFileChunk') chunks.add([row])
      await following.add(key as FollowingKey, row, rows)
    } else {
      chars += length
      if (chars > MAX_ITEM_CHARS) throw tooLarge()
      lists[key] ??= []
      lists[key].push(row)
    }
  }
  const found = await following.end(rows)
  const bundle = parse(bundleSchema, { ...lists, choices })
  const others = [...counts].filter(([key]) => !known.has(key))
  const unknown = Object.fromEntries(others.map(([key, count]) => [key, Array(count)]))
  return { ...found, bundle: { ...unknown, ...bundle, ...found.lists } as Bundle, chunks, counts }
}

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

/** Keeps the ids of following rows that are not free, so that these are renamed. */
function followingIds(takenIds: Reading['takenIds']) {
  const lists: Record<FollowingKey, BundleRow[]> = {
    ...{ Execution: [], ChatMessage: [], ChatMessageFeedback: [], DocumentStoreFileChunk: [] },
  }
  const own = new Set<string>()
  const taken = new Set<string>()
  const owners = new Map<string, string>()
  let waiting: { key: FollowingKey; id: string; owner: unknown }[] = []

  async function ask(rowsRead: number): Promise<void> {
    const found = await takenIds(
      waiting.map(({ id }) => id),
      rowsRead,
    )
    for (const id of found.own) own.add(id)
    for (const id of found.taken) taken.add(id)
    for (const [chunk, store] of found.owners) owners.set(chunk, store)
    for (const { key, id, owner } of waiting) {
      const isTaken = key === 'DocumentStoreFileChunk' ? owners.has(id) : taken.has(id)
      if (isTaken || !isUuid(id)) lists[key].push({ id, [FOLLOWING[key]]: owner })
    }
    waiting = []
  }

  return {
    async add(key: FollowingKey, row: BundleRow, rowsRead: number): Promise<void> {
      if (typeof row.id === 'string') waiting.push({ key, id: row.id, owner: row[FOLLOWING[key]] })
      if (waiting.length >= IDS_AT_ONCE) await ask(rowsRead)
    },
    async end(rowsRead: number) {
      await ask(rowsRead)
      return { lists, own, taken, owners }
    },
  }
}
