/** Opens libSQL. The same client for Turso, sqld and the embedded server: only the URL differs. */
import { createClient } from '@libsql/client/web'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'
import * as schema from './schema/index.ts'

export type Database = LibSQLDatabase<typeof schema>

/**
 * One client serves all requests of an isolate. It must not queue: a request whose turn came from another request's
 * promise would be cancelled by workerd. So its own limit of 20 calls at once is lifted; the server has its own.
 */
export function openDatabase(url: string, authToken?: string): Database {
  return drizzle(createClient({ url, authToken, concurrency: Number.POSITIVE_INFINITY }), { schema })
}
