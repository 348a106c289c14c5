/** Migrations are append-only: `migrations/hashes.json` contains the hash of each. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../migrations')
const record = join(folder, 'hashes.json')

type Hashes = Record<string, string>

/** Returns the migrations in order, by name, with the hashes of their current text. */
export function hashMigrations(): Hashes {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  const hashOf = (tag: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, `${tag}.sql`)))
      .digest('hex')
  return Object.fromEntries(entries.map(({ tag }) => [tag, hashOf(tag)]))
}

export function readRecordedHashes(): Hashes {
  return existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {}
}

/** Records new migrations; existing records stay unchanged. */
export function recordNewMigrations(): void {
  writeFileSync(record, `${JSON.stringify({ ...hashMigrations(), ...readRecordedHashes() }, null, 2)}\n`)
}

/** Returns the schema after the last migration, as drizzle-kit stores it. */
export function readLastSnapshot<Snapshot>(): Snapshot {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { idx: number }[]
  }
  const number = String(entries.at(-1)?.idx).padStart(4, '0')
  return JSON.parse(readFileSync(join(folder, `meta/${number}_snapshot.json`), 'utf8'))
}
