/** Copies the bytes of files from one bucket to another, and compares them. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createS3Bucket, listS3Objects } from '../../ports/s3/s3-bucket.ts'
import type { S3Settings } from '../../ports/s3/settings.ts'
import { guardChildProcess } from '../child-process-guard.ts'
import { MOVE_MARK } from '../migrate.ts'
import { convertV4MiniflareOptions, Miniflare } from '../miniflare.ts'
import { openStateDir } from '../state-dir.ts'

interface StoredObject {
  key: string
  size: number
}

export interface FileBucket {
  list(): AsyncGenerator<StoredObject>
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>
  put(key: string, bytes: Uint8Array): Promise<unknown>
  delete(keys: string[]): Promise<unknown>
  close(): Promise<void>
}

/** Opens the bucket in a data folder, as `npm start` keeps it. */
export async function openFolderBucket(dataDir: string): Promise<FileBucket> {
  const stateDir = openStateDir(dataDir)
  // Without the folder, which a later move may have opened again by the time that the guard removes it.
  const unguard = guardChildProcess()
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default { fetch: () => new Response() }',
      r2Buckets: { FILES: 'files' },
      ...{ resourcePersistencePath: stateDir, cf: false, cache: false, telemetry: { enabled: false } },
    }),
  )
  const bucket = await miniflare.getR2Bucket('FILES')
  return {
    async *list() {
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page = await bucket.list(cursor ? { cursor } : {})
        for (const { key, size } of page.objects) yield { key, size }
        cursor = page.truncated ? page.cursor : undefined
      }
    },
    get: (key) => bucket.get(key),
    put: (key, bytes) => bucket.put(key, bytes as Uint8Array<ArrayBuffer>),
    delete: (keys) => bucket.delete(keys),
    async close() {
      await miniflare.dispose()
      unguard()
      rmSync(stateDir, { recursive: true, force: true })
    },
  }
}

export function openS3FileBucket(settings: S3Settings): FileBucket {
  return {
    ...createS3Bucket(settings, globalThis),
    list: () => listS3Objects(settings, globalThis),
    async close() {},
  }
}

export async function isEmpty(bucket: FileBucket): Promise<boolean> {
  for await (const _ of bucket.list()) return false
  return true
}

/** Returns those of the keys that a bucket lacks. */
export async function findMissing(keys: string[], bucket: FileBucket): Promise<string[]> {
  const missing = new Set(keys)
  if (missing.size > 0) for await (const { key } of bucket.list()) missing.delete(key)
  return [...missing]
}

/** Returns `new` for an empty bucket, and `begun` for one to which a copy of this installation has not ended. */
export async function stateOfBucket(target: FileBucket, installationId: string): Promise<'new' | 'begun' | 'in use'> {
  const mark = await find(target, MOVE_MARK)
  if (mark) return new TextDecoder().decode(mark) === installationId ? 'begun' : 'in use'
  return (await isEmpty(target)) ? 'new' : 'in use'
}

export const markBucket = (target: FileBucket, installationId: string) =>
  target.put(MOVE_MARK, new TextEncoder().encode(installationId))

export const unmarkBucket = (target: FileBucket) => target.delete([MOVE_MARK])

export interface Files {
  source: FileBucket
  target: FileBucket
  /** The target has files of this installation that the source lacks, and keeps them. */
  isShared?: boolean
}

/** Copies what the target lacks, or has with another size. May be stopped anywhere and repeated. */
export async function copyFiles({ source, target }: Files): Promise<void> {
  const sizes = new Map<string, number>()
  for await (const { key, size } of target.list()) sizes.set(key, size)
  for await (const { key, size } of source.list())
    if (sizes.get(key) !== size) await target.put(key, await read(source, key))
}

/** Throws a sentence for people that names the first file that differs. Returns the number of files at the source. */
export async function compareFiles({ source, target, isShared }: Files): Promise<number> {
  let files = 0
  for await (const { key } of source.list()) {
    files++
    if (hash(await read(source, key)) !== hash(await read(target, key)))
      throw new Error(`The file ${key} in the copy differs. Delete it there, and try again.`)
  }
  let copied = 0
  for await (const { key } of target.list()) if (key !== MOVE_MARK) copied++
  if (copied === files || isShared) return files
  throw new Error(`There are ${files} files at the source and ${copied} in the copy. Empty the target, and try again.`)
}

/** Copies what a bucket in use holds, but for files that are deleted meanwhile, and reads each copy back. */
export async function copyLiveFiles(source: FileBucket, target: FileBucket): Promise<void> {
  for await (const { key } of source.list()) {
    const bytes = await find(source, key)
    if (!bytes) continue
    await target.put(key, bytes)
    if (hash(bytes) !== hash(await read(target, key)))
      throw new Error(`The copy of the file ${key} differs. Look at the disk, and try again.`)
  }
}

async function find(bucket: FileBucket, key: string): Promise<Uint8Array | undefined> {
  const object = await bucket.get(key)
  return object ? new Uint8Array(await object.arrayBuffer()) : undefined
}

async function read(bucket: FileBucket, key: string): Promise<Uint8Array> {
  const bytes = await find(bucket, key)
  if (bytes) return bytes
  throw new Error(`The file ${key} is not there any more. Stop every Heddle on both sides, and try again.`)
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
