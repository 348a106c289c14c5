/** Running sums over a store's chunks, which count and compare them without holding them in memory. Pure. */
import { createHash } from 'node:crypto'
import { canonicalJson, tryParseJson } from '#contract/data/json.ts'
import type { BundleRow } from '#contract/export-import/export-import.ts'
import { chunkHash } from '../../../knowledge/chunk-hash.ts'
import { chunkRow } from './rows.ts'

/** Columns of a chunk that its identity does not depend on. */
interface ComparedChunk {
  docId: string
  chunkNo: number
  hash: string
  metadata: string
  isEnabled: boolean
}

export interface ChunkSum {
  chunks: number
  chars: number
  /** Equal for the same chunks in any order. */
  digest: bigint
}

export const NO_CHUNKS: ChunkSum = { chunks: 0, chars: 0, digest: 0n }

const DIGEST_BITS = 256

/** Returns a number for a chunk; those of many chunks are added. */
export function digestOf({ docId, chunkNo, hash, metadata, isEnabled }: ComparedChunk): bigint {
  const content = JSON.stringify([docId, chunkNo, hash, canonicalJson(tryParseJson(metadata)), isEnabled])
  return BigInt(`0x${createHash('sha256').update(content).digest('hex')}`)
}

export const addSums = (sums: Iterable<ChunkSum>): ChunkSum =>
  [...sums].reduce(
    (all, { chunks, chars, digest }) => ({
      chunks: all.chunks + chunks,
      chars: all.chars + chars,
      digest: BigInt.asUintN(DIGEST_BITS, all.digest + digest),
    }),
    NO_CHUNKS,
  )

/** The sums of one loader, by the file that its chunks name; '' for those that name none. */
export type LoaderSums = ReadonlyMap<string, ChunkSum>

export interface ChunkSums {
  /** Invalid rows do not count. */
  add(rows: readonly BundleRow[]): void
  ofLoader(storeId: string | undefined, docId: string): LoaderSums
  entries(): CountedChunks[]
  /** Adds what was counted elsewhere. */
  merge(counted: readonly CountedChunks[]): void
}

/** Chunks of one loader that name the same file. */
export interface CountedChunks {
  storeId: string
  docId: string
  sourceId: string
  sum: ChunkSum
}

/** Counts the chunks of a file. */
export function chunkSums(): ChunkSums {
  const stores = new Map<string, Map<string, Map<string, ChunkSum>>>()
  function addSum({ storeId, docId, sourceId, sum }: CountedChunks): void {
    const loaders = valueIn(stores, storeId, () => new Map<string, Map<string, ChunkSum>>())
    const files = valueIn(loaders, docId, () => new Map<string, ChunkSum>())
    files.set(sourceId, addSums([files.get(sourceId) ?? NO_CHUNKS, sum]))
  }

  return {
    add(rows) {
      for (const row of rows) {
        const { data: chunk } = chunkRow.safeParse(row)
        if (!chunk) continue
        const { storeId, docId, sourceId = '', headings, pageContent } = chunk
        const hash = chunkHash(headings, pageContent)
        const sum = { chunks: 1, chars: pageContent.length, digest: digestOf({ ...chunk, hash }) }
        addSum({ storeId, docId, sourceId, sum })
      }
    },
    ofLoader: (storeId, docId) => (storeId === undefined ? undefined : stores.get(storeId)?.get(docId)) ?? new Map(),
    entries: () =>
      [...stores].flatMap(([storeId, loaders]) =>
        [...loaders].flatMap(([docId, files]) =>
          [...files].map(([sourceId, sum]) => ({ storeId, docId, sourceId, sum })),
        ),
      ),
    merge(counted) {
      for (const each of counted) addSum(each)
    },
  }
}

function valueIn<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
