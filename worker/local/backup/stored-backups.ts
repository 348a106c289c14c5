/** Backups in a bucket. Beside each archive that was read back lies its SHA-256, in the form of `sha256sum`. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '../../ports/clock.ts'
import { createLargeObjects } from '../../ports/s3/large-objects.ts'
import { createS3Bucket, listS3Objects } from '../../ports/s3/s3-bucket.ts'
import type { S3Settings } from '../../ports/s3/settings.ts'
import { namingBackups } from './settings.ts'

const ARCHIVE = /^heddle-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.tar\.gz$/
const HASH = '.sha256'
const PART_BYTES = 16 * 1024 ** 2
const MAX_PARTS = 10_000

interface StoredBackup {
  /** As `heddle-2026-03-01T09-30-00Z.tar.gz`. */
  name: string
  bytes: number
}

/** Returns the name of an archive that is made now. Names sort by time. */
export const archiveName = (now = new Date()): string =>
  `heddle-${now.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.tar.gz`

/** Returns when an archive was made, by its name. */
export const timeOf = (name: string): Date =>
  new Date(ARCHIVE.exec(name)?.[1]?.replace(/T(..)-(..)-/, 'T$1:$2:') ?? Number.NaN)

/** Returns the archives that were read back, the newest first. */
export const listBackups = (s3: S3Settings): Promise<StoredBackup[]> =>
  namingBackups(async () => {
    const sizes = await readSizes(s3)
    const names = [...sizes.keys()].filter((key) => ARCHIVE.test(key) && sizes.has(key + HASH))
    return names
      .sort()
      .reverse()
      .map((name) => ({ name, bytes: sizes.get(name) ?? 0 }))
  })

async function readSizes(s3: S3Settings): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, size } of listS3Objects(s3, globalThis)) sizes.set(key, size)
  return sizes
}

/** Uploads an archive part by part, and reads it back. Throws a sentence for people; then the bucket has none of it. */
export const storeBackup = (file: string, name: string, s3: S3Settings): Promise<void> =>
  namingBackups(async () => {
    const large = createLargeObjects(s3, globalThis, systemClock)
    const bucket = createS3Bucket(s3, globalThis)
    const [ours, theirs] = [createHash('sha256'), createHash('sha256')]
    const handle = await open(file)
    try {
      await large.upload(name, hashing(readParts(handle, (await handle.stat()).size), ours))
    } finally {
      await handle.close()
    }
    const hash = ours.digest('hex')
    try {
      for await (const bytes of large.download(name)) theirs.update(bytes)
      if (hash !== theirs.digest('hex'))
        throw new Error(`The bucket ${s3.bucket} answers with another ${name} than was uploaded. Look at its server.`)
      await bucket.put(name + HASH, new TextEncoder().encode(`${hash}  ${name}\n`))
    } catch (error) {
      await bucket.delete([name, name + HASH]).catch(() => {})
      throw error
    }
  })

async function* readParts(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
  for (let from = 0; from < size; from += bytes) {
    const part = new Uint8Array(Math.min(bytes, size - from))
    const { bytesRead } = await handle.read(part, 0, part.length, from)
    if (bytesRead < part.length) throw new Error('The archive became shorter while it was uploaded')
    yield part
  }
}

async function* hashing(parts: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const part of parts) {
    hash.update(part)
    yield part
  }
}

/** Deletes all archives that are older than the newest `keep`, also such as were never read back. Returns their number. */
export const deleteOldBackups = (s3: S3Settings, keep: number): Promise<number> =>
  namingBackups(async () => {
    const oldest = (await listBackups(s3))[keep - 1]
    if (!oldest) return 0
    const keys = [...(await readSizes(s3)).keys()]
    const isOld = (key: string) => ARCHIVE.test(key) && key < oldest.name
    const archives = keys.filter(isOld)
    const bucket = createS3Bucket(s3, globalThis)
    await bucket.delete(archives)
    // Last: an archive without its hash is no backup any more.
    await bucket.delete(keys.filter((key) => key.endsWith(HASH) && isOld(key.slice(0, -HASH.length))))
    return archives.length
  })

/** Downloads an archive, or the newest one by the name `latest`, and compares its hash. Returns its name. */
export const fetchBackup = (name: string, file: string, s3: S3Settings): Promise<string> =>
  namingBackups(async () => {
    const backups = await listBackups(s3)
    const found = name === 'latest' ? backups[0] : backups.find((backup) => backup.name === name)
    if (!found) throw new Error(explainMissing(name, backups, s3))
    const stored = await createS3Bucket(s3, globalThis).get(found.name + HASH)
    const hash = createHash('sha256')
    const bytes = createLargeObjects(s3, globalThis, systemClock).download(found.name)
    await pipeline(hashing(bytes, hash), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    const expected = new TextDecoder().decode(await stored?.arrayBuffer()).slice(0, 64)
    if (hash.digest('hex') === expected) return found.name
    throw new Error(`${found.name} in the bucket ${s3.bucket} is damaged. Use another backup.`)
  })

const MAX_NAMED = 5

function explainMissing(name: string, backups: StoredBackup[], { bucket }: S3Settings): string {
  const newest = backups.slice(0, MAX_NAMED).map((backup) => backup.name)
  if (newest.length === 0) return `The bucket ${bucket} holds no backup.`
  return `The bucket ${bucket} holds no backup ${name}. The newest are ${newest.join(', ')}.`
}
