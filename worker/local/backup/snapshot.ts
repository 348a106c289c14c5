/** Copies what a data folder holds at one moment, while Heddle may be running on it. */
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'

/** Where Miniflare keeps what the bucket holds: a database for each bucket, and the bytes. */
const BUCKETS = 'files/miniflare-R2BucketObject'
const BLOBS = 'files/files/blobs'

interface Copied {
  /** Relative to the data folder. */
  name: string
  path: string
}

interface CopiedBuckets {
  files: Copied[]
  /** Keys of the objects in them. Those whose bytes are gone were deleted meanwhile, or lost before. */
  keys: Set<string>
}

/** Copies a database in use: SQLite reads one moment of it, and writers go on. Keeps rowids, which search indexes refer to. */
export function copyDatabase(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const database = new Database(from, { fileMustExist: true } as Database.Options)
  try {
    database.prepare('VACUUM INTO ?').run(to)
  } finally {
    database.close()
  }
}

/**
 * Copies the bucket to `folder`. Bytes never change under their name, so they are linked where the disk can. Take it after
 * the database: an upload stores bytes before rows, so each row of the earlier copy has its bytes here, unless it was
 * deleted meanwhile.
 */
export function copyBuckets(dataDir: string, folder: string): CopiedBuckets {
  const copied: CopiedBuckets = { files: [], keys: new Set() }
  for (const name of listBuckets(dataDir)) copyBucket({ dataDir, folder, name }, copied)
  return copied
}

/** Returns the databases of the buckets, relative to the data folder. */
export function listBuckets(dataDir: string): string[] {
  const folder = join(dataDir, BUCKETS)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((file) =>
    file.endsWith('.sqlite') && file !== 'metadata.sqlite' ? `${BUCKETS}/${file}` : [],
  )
}

/** Returns the file of an object's bytes, relative to the data folder. */
export const blobFile = (blob: string): string => `${BLOBS}/${blob}`

interface CopyOptions {
  dataDir: string
  folder: string
  name: string
}

function copyBucket({ dataDir, folder, name }: CopyOptions, copied: CopiedBuckets): void {
  const path = join(folder, name)
  copyDatabase(join(dataDir, name), path)
  copied.files.push({ name, path })
  const bucket = new Database(path)
  try {
    for (const { key, blob } of listObjects(bucket)) {
      const file = { name: blobFile(blob), path: join(folder, blobFile(blob)) }
      if (copyBlob(join(dataDir, file.name), file.path)) {
        copied.files.push(file)
        copied.keys.add(key)
      } else bucket.prepare('DELETE FROM _mf_objects WHERE key = ?').run(key)
    }
  } finally {
    bucket.close()
  }
}

/** Returns every object of a bucket. Heddle writes objects at once, never in parts. */
export const listObjects = (bucket: Database.Database) =>
  bucket.prepare('SELECT key, blob_id AS blob, size FROM _mf_objects WHERE blob_id IS NOT NULL').all() as {
    key: string
    blob: string
    size: number
  }[]

/** Returns false when the file is gone. */
function copyBlob(from: string, to: string): boolean {
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkOrCopy(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    copyFileSync(from, to)
  }
}
