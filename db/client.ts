/** Opens libSQL with one client for Turso, sqld and the embedded server: only the URL differs. */
import type { Client } from '@libsql/client/web'
import {
  createTableRelationsHelpers,
  type ExtractTablesWithRelations,
  extractTablesRelationalConfig,
} from 'drizzle-orm'
import { LibSQLDatabase } from 'drizzle-orm/libsql/driver-core'
import { LibSQLSession } from 'drizzle-orm/libsql/session'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { type Network, openHrana } from './hrana.ts'
import * as schema from './schema/index.ts'
import { type Database, guardTenants } from './tenant-guard.ts'
import type { Traffic } from './traffic.ts'

export type { Database }

type Schema = typeof schema
type Tables = ExtractTablesWithRelations<Schema>

/**
 * Returns a database that refuses statements on a workspace's table without its workspace (`tenant-guard.ts`).
 *
 * One client serves all requests of an isolate. It has no transactions over several round trips: what reads before it
 * writes is a unit of work (`unit-of-work.ts`).
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
  const client = openHrana({ url, authToken, ...options }, network) as unknown as Client
  return guardTenants(openHandle(client), openHandle(client))
}

/** Does what `drizzle` does, whose module brings a client of its own along: a tenth of what an isolate reads when it starts. */
function openHandle(client: Client): LibSQLDatabase<Schema> {
  const { tables, tableNamesMap } = extractTablesRelationalConfig<Tables>(schema, createTableRelationsHelpers)
  const relations = { fullSchema: schema, schema: tables, tableNamesMap }
  const dialect = new SQLiteAsyncDialect()
  const session = new LibSQLSession<Schema, Tables>(client, dialect, relations, {}, undefined)
  return new LibSQLDatabase<Schema>('async', dialect, session, relations)
}
