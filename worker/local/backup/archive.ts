/** Archives of backups: compressed tar files whose first entry, the manifest, lists the bytes and hash of every other. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip, createGzip } from 'node:zlib'
import { BLOCK_BYTES, paddingOf, readEntries, type TarEntry, tarHeader } from './tar.ts'

const MANIFEST = 'manifest.json'
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024

interface ArchiveEntry {
  /** Relative, with slashes. */
  name: string
  bytes: number
  /** In hexadecimal. */
  sha256: string
}

export interface Manifest {
  /** The version of Heddle that made the backup. */
  version: string
  /** ISO date. */
  createdDate: string
  /** The newest migration of the database, in Unix milliseconds. */
  migration: number
  secrets: 'included' | 'left out'
  /** Rows of the tables that people count, by table. */
  counts: Record<string, number>
  entries: ArchiveEntry[]
}

/** Writes an archive that only its owner can read. The files must not change meanwhile. Throws when `archive` exists. */
export async function writeArchive(
  archive: string,
  files: { name: string; path: string }[],
  about: Omit<Manifest, 'entries'>,
): Promise<Manifest> {
  const entries: ArchiveEntry[] = []
  for (const { name, path } of files) entries.push(await hashEntry(name, createReadStream(path)))
  const manifest = { ...about, entries }
  async function* blocks() {
    yield* entryOf(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 2)))
    for (const { name, path } of files) {
      const { size } = statSync(path)
      yield tarHeader(name, size)
      yield* createReadStream(path)
      yield Buffer.alloc(paddingOf(size))
    }
    yield Buffer.alloc(2 * BLOCK_BYTES)
  }
  const file = createWriteStream(archive, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(blocks, createGzip({ level: 4 }), file)
  return manifest
}

const entryOf = (name: string, bytes: Buffer) => [
  tarHeader(name, bytes.length),
  bytes,
  Buffer.alloc(paddingOf(bytes.length)),
]

async function hashEntry(name: string, chunks: AsyncIterable<Buffer>, take: TakeEntry = drain): Promise<ArchiveEntry> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  await take(name, hashed())
  return { name, bytes, sha256: hash.digest('hex') }
}

/** Takes the chunks of an entry, in order, until it ends. */
type TakeEntry = (name: string, chunks: AsyncIterable<Buffer>) => Promise<void>

/**
 * Reads a whole archive and compares every hash. What `take` got is to be used only after this has returned.
 * Throws a sentence that names the archive, and the entry that is damaged.
 */
export async function readArchive(archive: string, take: TakeEntry = drain): Promise<Manifest> {
  let current = MANIFEST
  let manifest: Manifest | undefined
  const expected = new Map<string, ArchiveEntry>()
  const read = pipeline(createReadStream(archive), createGunzip(), async (bytes: AsyncIterable<Buffer>) => {
    for await (const { name, size, chunks } of readEntries(bytes)) {
      if (!manifest) {
        manifest = await readManifest({ name, size, chunks })
        for (const entry of manifest.entries) expected.set(entry.name, entry)
        continue
      }
      current = name
      const entry = await hashEntry(name, chunks, take)
      if (!isDeepStrictEqual(entry, expected.get(name))) throw new Error('Not what the manifest lists')
      expected.delete(name)
    }
  })
  await read.catch((error: NodeJS.ErrnoException) => {
    // The system's own errors are about this machine; all others about what the archive holds.
    throw error.syscall ? error : new Error(`${archive} is damaged: ${current} cannot be read. Use another backup.`)
  })
  const [missing] = expected.keys()
  if (!manifest || missing)
    throw new Error(`${archive} is incomplete: ${missing ?? MANIFEST} is missing. Use another backup.`)
  return manifest
}

async function drain(_name: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

async function readManifest({ name, size, chunks }: TarEntry): Promise<Manifest> {
  if (name !== MANIFEST || size > MAX_MANIFEST_BYTES) throw new Error('Not a backup')
  const read: Buffer[] = []
  for await (const chunk of chunks) read.push(chunk)
  return JSON.parse(Buffer.concat(read).toString('utf8')) as Manifest
}

/** Returns the counts for people, as `3 flows, 1 run, 0 files`. */
export function describeCounts({
  counts: { chatflows = 0, executions = 0, files = 0 },
}: Pick<Manifest, 'counts'>): string {
  const each = Object.entries({ flow: chatflows, run: executions, file: files })
  return each.map(([noun, count]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(', ')
}
