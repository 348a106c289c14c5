/** Migrates the database to the newest schema. */
import { type Client, createClient } from '@libsql/client/web'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { VERSION } from '#contract/version.ts'
import { migrationsFolder } from './paths.ts'

const TABLE =
  'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)'

/** The table of a database to which a move or a restore has not ended: made first, and dropped last. */
export const MOVE_MARK = 'heddle_move'
export const UNFINISHED_MOVE = 'A move or a restore to this database has not ended. Run it again.'

/** A libSQL server, and its token if it needs one. */
export interface DatabaseAddress {
  url: string
  authToken?: string | undefined
}

/**
 * Applies the files of `migrations/` that this database lacks, in order and all in one transaction. Reads and records
 * them as Drizzle does, whose own migrator would load all of the ORM into a process that needs no more of it.
 *
 * Throws a sentence for people, and changes nothing, when a newer version of Heddle has migrated the database.
 */
export async function migrateDatabase(address: DatabaseAddress): Promise<void> {
  await withMissingMigrations(address, async (client, missing) => {
    if (!missing.length) return
    await client.migrate(
      missing.flatMap(({ sql, hash, folderMillis }) => [
        ...sql,
        { sql: 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', args: [hash, folderMillis] },
      ]),
    )
  })
}

/** Throws a sentence for people unless the database has exactly the schema of this version. */
export async function assertMigrated(address: DatabaseAddress): Promise<void> {
  await withMissingMigrations(address, async (_, { length }) => {
    if (length > 0) {
      throw new Error(
        `The database lacks ${count(length)} of version ${VERSION}. Back it up, then run npm run db:migrate.`,
      )
    }
  })
}

/** Throws a sentence for people when this version does not know a database's newest migration, in Unix milliseconds. */
export function assertKnownMigration(newest: number): void {
  assertKnown([newest], readMigrationFiles({ migrationsFolder }))
}

/** Compares the migrations that a database has, in Unix milliseconds, with those of this version. */
export function compareMigrations(applied: number[]): { missing: number; unknown: number } {
  const known = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis)
  const countLacking = (from: number[], among: number[]) => from.filter((time) => !among.includes(time)).length
  return { missing: countLacking(known, applied), unknown: countLacking(applied, known) }
}

async function withMissingMigrations(
  { url, authToken }: DatabaseAddress,
  use: (client: Client, missing: MigrationMeta[]) => Promise<void>,
): Promise<void> {
  const client = createClient({ url, ...(authToken !== undefined && { authToken }) })
  try {
    await assertMoved(client)
    const applied = await readApplied(client)
    const known = readMigrationFiles({ migrationsFolder })
    assertKnown(applied, known)
    const last = Math.max(0, ...applied)
    await use(
      client,
      known.filter(({ folderMillis }) => folderMillis > last),
    )
  } finally {
    client.close()
  }
}

async function assertMoved(client: Client): Promise<void> {
  const { rows } = await client.execute(`SELECT 1 FROM sqlite_master WHERE name = '${MOVE_MARK}'`)
  if (rows.length > 0) throw new Error(UNFINISHED_MOVE)
}

/** When each migration of this database was made, in Unix milliseconds. */
async function readApplied(client: Client): Promise<number[]> {
  await client.execute(TABLE)
  const { rows } = await client.execute('SELECT created_at FROM __drizzle_migrations')
  return rows.map(({ created_at }) => Number(created_at))
}

function assertKnown(applied: number[], known: MigrationMeta[]): void {
  const times = new Set(known.map(({ folderMillis }) => folderMillis))
  const unknown = applied.filter((time) => !times.has(time))
  if (unknown.length === 0) return
  throw new Error(
    `The database was migrated by a newer version of Heddle: it has ${count(unknown.length)} that version ${VERSION} does ` +
      'not know. Start the newer version, or restore the backup from before the upgrade (see UPGRADING.md).',
  )
}

const count = (migrations: number) => (migrations === 1 ? '1 migration' : `${migrations} migrations`)
