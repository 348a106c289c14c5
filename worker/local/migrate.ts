/** Migrates the database to the newest schema. */
import { createClient } from '@libsql/client/web'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { drizzle } from 'drizzle-orm/libsql/web'
import { migrationsFolder } from './paths.ts'

/** Applies the files of `migrations/` that this database lacks, in order and all in one transaction. */
export async function migrateDatabase(url: string, authToken?: string): Promise<void> {
  const client = createClient({ url, authToken })
  try {
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    client.close()
  }
}
