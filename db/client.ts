/** Opens libSQL. The same client for Turso, sqld and the embedded server: only the URL differs. */
import { createClient } from '@libsql/client/web'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'
import * as schema from './schema/index.ts'

export type Database = LibSQLDatabase<typeof schema>

export function openDatabase(url: string, authToken?: string): Database {
  return drizzle(createClient({ url, authToken }), { schema })
}
