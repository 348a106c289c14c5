import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { drizzle } from 'drizzle-orm/libsql/web'

/** Gives an empty database the newest schema. */
export async function migrateForTests({ url, authToken }: { url: string; authToken?: string }): Promise<void> {
  const client = createClient({ url, ...(authToken !== undefined && { authToken }) })
  await migrate(drizzle(client), { migrationsFolder: join(import.meta.dirname, '../../../migrations') })
  client.close()
}
