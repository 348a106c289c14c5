/** Brings the database to the newest schema. */
import { createClient } from '@libsql/client/web'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { drizzle } from 'drizzle-orm/libsql/web'
import { migrationsFolder } from './paths.ts'

/** Applies each file of `migrations/` that this database has not seen, in order; all of them or none. */
export async function migrateDatabase(url: string, authToken?: string): Promise<void> {
  const client = createClient({ url, authToken })
  try {
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    client.close()
  }
}
