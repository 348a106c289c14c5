/** Opens libSQL with one client for Turso, sqld and the embedded server: only the URL differs. */
import { type Client, createClient } from '@libsql/client/web'
import { drizzle } from 'drizzle-orm/libsql/web'
import { type Network, openHrana } from './hrana.ts'
import * as schema from './schema/index.ts'
import { type Database, guardTenants } from './tenant-guard.ts'
import type { Traffic } from './traffic.ts'

export type { Database }

/**
 * Returns a database that refuses statements on a workspace's table without its workspace (`tenant-guard.ts`).
 *
 * One client serves all requests of an isolate. Transactions over several round trips are the library's, which must not
 * queue: a request whose turn came from another request's promise would be cancelled by workerd.
 *
 * @param options.schemaVersion - refuses a database with another schema, by SchemaMismatch, until it has this one
 * @param options.traffic - told what the client does
 */
export function openDatabase(
  url: string,
  authToken?: string,
  network: Network = globalThis,
  options: { schemaVersion?: number; traffic?: Traffic } = {},
): Database {
  const hrana = openHrana({ url, authToken, ...options }, network) as unknown as Pick<Client, 'execute' | 'batch'>
  const client = Object.assign(createClient({ url, authToken, concurrency: Number.POSITIVE_INFINITY }), hrana)
  return guardTenants(drizzle(client, { schema }), drizzle(client, { schema }))
}
