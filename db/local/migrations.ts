/** Migrations are append-only: `migrations/hashes.json` records what each one said when it was made. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../migrations')
const record = join(folder, 'hashes.json')

export type Hashes = Record<string, string>

/** The migrations in order, by name, with the hash of what they say now. */
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

/** Adds migrations that are new; what is recorded already stays as it is. */
export function recordNewMigrations(): void {
  writeFileSync(record, `${JSON.stringify({ ...hashMigrations(), ...readRecordedHashes() }, null, 2)}\n`)
}

/** The schema after the last migration, as drizzle-kit keeps it. */
export function readLastSnapshot<Snapshot>(): Snapshot {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { idx: number }[]
  }
  const number = String(entries.at(-1)?.idx).padStart(4, '0')
  return JSON.parse(readFileSync(join(folder, `meta/${number}_snapshot.json`), 'utf8'))
}
