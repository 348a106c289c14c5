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

/** Where rows name files whose bytes a bucket must have: of a row its id, and the object's key, name and size. */
const FILES = [
  "SELECT id AS key, workspace_id || '/' || id AS object, name, size FROM files WHERE data IS NULL",
  "SELECT id AS key, workspace_id || '/' || object_id AS object, name, size FROM flow_sources",
  "SELECT id AS key, workspace_id || '/' || id AS object, name, size FROM document_sources WHERE is_stored",
]

const FILES_AT_ONCE = 5_000

interface FileRow {
  key: string
  name: string
  size: number
}

/** Returns each file whose bytes a bucket must have, once, by its key. */
export async function readFileRows(query: Query): Promise<FileRow[]> {
  const files = new Map<string, FileRow>()
  for (const sql of FILES)
    for await (const { object, name, size } of readPages(query, sql, FILES_AT_ONCE))
      files.set(String(object), { key: String(object), name: String(name), size: Number(size) })
  return [...files.values()].sort((one, other) => (one.key < other.key ? -1 : 1))
}
