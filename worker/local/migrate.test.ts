import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@libsql/client/web'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { assertMigrated, migrateDatabase } from './migrate.ts'

let folder: string
let server: LibsqlServer
let client: Client

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-migrate-'))
  server = await startLibsqlServer({ file: join(folder, 'heddle.db') })
  client = createClient({ url: server.url, authToken: server.authToken })
})
afterEach(async () => {
  client.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

const countMigrations = async () =>
  Number((await client.execute('SELECT count(*) AS count FROM __drizzle_migrations')).rows[0]?.count)

it('a new database gets every migration once', async () => {
  await migrateDatabase(server)
  const first = await countMigrations()
  await migrateDatabase(server)
  expect(await countMigrations()).toBe(first)
  await expect(assertMigrated(server)).resolves.toBeUndefined()
})

it('a database that a newer version has migrated is refused with a sentence, and stays as it is', async () => {
  await migrateDatabase(server)
  const sql = "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of a newer version', ?)"
  await client.execute({ sql, args: [Date.now() + 1e12] })
  const before = await countMigrations()
  const refusal =
    /^The database was migrated by a newer version of Heddle: it has 1 migration that version [\d.]+ does not know\. Start the newer version, or restore the backup/
  await expect(migrateDatabase(server)).rejects.toThrow(refusal)
  await expect(assertMigrated(server)).rejects.toThrow(refusal)
  expect(await countMigrations()).toBe(before)
})

it('a database that lacks a migration is not the one that a deployment needs', async () => {
  await migrateDatabase(server)
  await client.execute(
    'DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)',
  )
  await expect(assertMigrated(server)).rejects.toThrow(
    /^The database lacks 1 migration of version .* npm run db:migrate/,
  )
})

it('a database to which a move has not ended is refused, and stays as it is', async () => {
  await client.execute('CREATE TABLE heddle_move (source text NOT NULL)')
  const refusal = 'A move or a restore to this database has not ended. Run it again.'
  await expect(assertMigrated(server)).rejects.toThrow(refusal)
  await expect(migrateDatabase(server)).rejects.toThrow(refusal)
  const { rows } = await client.execute('SELECT name FROM sqlite_master')
  expect(rows.map(({ name }) => name)).toEqual(['heddle_move'])
})
