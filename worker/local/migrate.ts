/** Migrates the database to the newest schema. */
import { type Client, createClient } from '@libsql/client/web'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { migrationsFolder } from './paths.ts'

const TABLE =
  'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)'

/**
 * Applies the files of `migrations/` that this database lacks, in order and all in one transaction. Reads and records
 * them as Drizzle does, whose own migrator would load all of the ORM into a process that needs no more of it.
 */
export async function migrateDatabase(url: string, authToken?: string): Promise<void> {
  const client = createClient({ url, authToken })
  try {
    const last = await readLastMigration(client)
    const missing = readMigrationFiles({ migrationsFolder }).filter(({ folderMillis }) => folderMillis > last)
    if (!missing.length) return
    await client.migrate(
      missing.flatMap(({ sql, hash, folderMillis }) => [
        ...sql,
        { sql: 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', args: [hash, folderMillis] },
      ]),
    )
  } finally {
    client.close()
  }
}

/** When the newest migration of this database was made, in Unix milliseconds; 0 when there is none. */
async function readLastMigration(client: Client): Promise<number> {
  await client.execute(TABLE)
  const { rows } = await client.execute('SELECT max(created_at) AS last FROM __drizzle_migrations')
  return Number(rows[0]?.last ?? 0)
}
