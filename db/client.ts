/** Opens libSQL with one client for Turso, sqld and the embedded server: only the URL differs. */
import { createClient } from '@libsql/client/web'
import { drizzle } from 'drizzle-orm/libsql/web'
import * as schema from './schema/index.ts'
import { type Database, guardWorkspaces } from './workspace-guard.ts'

export type { Database }

/**
 * Returns a database that refuses statements on a workspace's table without its workspace (`workspace-guard.ts`).
 *
 * One client serves all requests of an isolate. It must not queue: a request whose turn came from another request's
 * promise would be cancelled by workerd. So its own limit of 20 calls at once is lifted; the server has its own.
 */
export function openDatabase(url: string, authToken?: string): Database {
  const client = createClient({ url, authToken, concurrency: Number.POSITIVE_INFINITY })
  return guardWorkspaces(drizzle(client, { schema }), drizzle(client, { schema }))
}
