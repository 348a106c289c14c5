/** Stores the bytes of files in an object store: R2 on Cloudflare, its emulation in the data folder everywhere else. */
import type { FileStorage } from './types.ts'

/** The part of an R2 bucket in use. */
export interface Bucket {
  put(key: string, bytes: Uint8Array): Promise<unknown>
  get(
    key: string,
    options?: { range: { offset: number; length: number } },
  ): Promise<{ size: number; arrayBuffer(): Promise<ArrayBuffer> } | null>
  /** At most 1,000 keys; missing ones are skipped. */
  delete(keys: string[]): Promise<void>
}

/** The bucket's limit for one call. */
export const MAX_DELETED_FILES = 1000

export function createFileStorage(bucket: Bucket): FileStorage {
  return {
    async write(key, bytes) {
      await bucket.put(key, bytes)
    },
    async read(key) {
      const object = await bucket.get(key)
      return object ? new Uint8Array(await object.arrayBuffer()) : undefined
    },
    async readRange(key, range) {
      const object = await bucket.get(key, { range })
      return object ? { bytes: new Uint8Array(await object.arrayBuffer()), size: object.size } : undefined
    },
    async delete(keys) {
      if (keys.length > 0) await bucket.delete(keys)
    },
  }
}

/** Calls to storage that are under way at once, at most. */
const CALLS_AT_ONCE = 6

/** Calls storage for each item, a few at once. Returns the results in the order of the items. */
export async function mapFiles<Item, Result>(
  items: readonly Item[],
  callStorage: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += CALLS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(from, from + CALLS_AT_ONCE).map(callStorage))))
  }
  return results
}

/** Returns the key of a file. It holds the workspace, so that no id of one workspace reaches the bytes of another. */
export const fileKey = ({ workspaceId, id }: { workspaceId: string; id: string }): string => `${workspaceId}/${id}`
