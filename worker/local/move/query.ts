/** Asks a database file and a server the same way. */
import type { Client } from '@libsql/client/web'
import type Database from 'libsql'

type Row = Record<string, unknown>

/** Returns the rows of a statement. */
export type Query = (sql: string, args?: string[]) => Promise<Row[]>

export const queryFile =
  (database: Database.Database): Query =>
  async (sql, args = []) =>
    database.prepare(sql).all(...args) as Row[]

export const queryServer =
  (client: Client): Query =>
  async (sql, args = []) =>
    (await client.execute({ sql, args })).rows

/**
 * Yields all rows of a statement, a page at a time.
 * @param sql selects a text `key`, which no two rows share
 */
export async function* readPages(query: Query, sql: string, rowsAtOnce: number): AsyncGenerator<Row> {
  const page = `SELECT * FROM (${sql}) WHERE key > ? ORDER BY key LIMIT ${rowsAtOnce}`
  for (let after = ''; ; ) {
    const rows = await query(page, [after])
    yield* rows
    if (rows.length < rowsAtOnce) return
    after = String(rows.at(-1)?.key)
  }
}

/** The key, name and size of each file whose bytes a bucket must have. */
const FILES = `
  SELECT key, max(name) AS name, max(size) AS size FROM (
    SELECT workspace_id || '/' || id AS key, name, size FROM files WHERE data IS NULL
    UNION
    SELECT workspace_id || '/' || object_id, name, size FROM flow_sources
    UNION
    SELECT workspace_id || '/' || id, name, size FROM document_sources WHERE is_stored)
  GROUP BY key`

const FILES_AT_ONCE = 5_000

interface FileRow {
  key: string
  name: string
  size: number
}

/** Returns each file whose bytes a bucket must have. */
export async function readFileRows(query: Query): Promise<FileRow[]> {
  const files: FileRow[] = []
  for await (const { key, name, size } of readPages(query, FILES, FILES_AT_ONCE))
    files.push({ key: String(key), name: String(name), size: Number(size) })
  return files
}
