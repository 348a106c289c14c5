/** Stores the bytes of files in an object store: R2 on Cloudflare, elsewhere its emulation in the data folder, or a bucket of S3. */
import { errorMessage, errorReport, HeddleError } from '#contract/errors.ts'
import type { DeletedFiles, FileStorage } from './types.ts'

/** The part of an R2 bucket in use. */
export interface Bucket {
  put(key: string, bytes: Uint8Array): Promise<unknown>
  get(
    key: string,
    options?: { range: { offset: number; length: number } },
  ): Promise<{ size: number; arrayBuffer(): Promise<ArrayBuffer> } | null>
  /** At most 1,000 keys; missing ones are skipped. May throw `UndeletedFiles` when some are deleted and others are not. */
  delete(keys: string[]): Promise<void>
}

/** Some files could not be deleted. The message names the first. */
export class UndeletedFiles extends Error {
  override readonly name = 'UndeletedFiles'
  /** Why, by key. Never empty. */
  readonly failures: ReadonlyMap<string, unknown>
  /** The keys that were given up without a try, because too many others failed. */
  readonly untried: readonly string[]

  constructor(failures: ReadonlyMap<string, unknown>, untried: readonly string[]) {
    const [first] = failures
    super(first && `${first[0]} could not be deleted: ${errorMessage(first[1])}`, { cause: first?.[1] })
    this.failures = failures
    this.untried = untried
  }
}

/** The bucket's limit for one call. */
export const MAX_DELETED_FILES = 1000

/** All calls throw `unavailable` when the bucket fails. Why is in the log. */
export function createFileStorage(bucket: Bucket): FileStorage {
  const read = async (key: string, range?: { offset: number; length: number }) => {
    const object = await bucket.get(key, range && { range })
    return object ? { bytes: new Uint8Array(await object.arrayBuffer()), size: object.size } : undefined
  }
  return {
    async write(key, bytes) {
      await orUnavailable(bucket.put(key, bytes))
    },
    async read(key) {
      return (await orUnavailable(read(key)))?.bytes
    },
    readRange: (key, range) => orUnavailable(read(key, range)),
    delete: (keys) => orUnavailable(deleteFiles(bucket, keys)),
  }
}

async function deleteFiles(bucket: Bucket, keys: string[]): Promise<DeletedFiles> {
  try {
    if (keys.length > 0) await bucket.delete(keys)
    return { deleted: keys, failed: [] }
  } catch (error) {
    if (!(error instanceof UndeletedFiles)) throw error
    const { failures, untried } = error
    for (const [key, why] of failures) console.error(`file storage failed to delete ${key}: ${errorMessage(why)}`)
    const left = new Set([...failures.keys(), ...untried])
    return { deleted: keys.filter((key) => !left.has(key)), failed: [...failures.keys()] }
  }
}

async function orUnavailable<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    console.error('file storage failed:', errorReport(error))
    throw new HeddleError('unavailable', 'The file storage does not answer. Try again in a few seconds', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}

const RETRY_AFTER_SECONDS = 5

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
