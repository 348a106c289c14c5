/** Runs one statement on one connection. */
import type { Connection } from './connections.ts'
import type { Statement, StatementResult } from './protocol.ts'
import { type NativeValue, toNative, toWire } from './values.ts'
import { mayWrite } from './write-lock.ts'

/** Throws the binding's error with SQLite's extended code. */
export function runStatement(connection: Connection, sql: string, statement: Statement): StatementResult {
  const parameters = bind(statement)
  const prepared = connection.prepare(sql)
  if (!prepared.reader) {
    const { changes, lastInsertRowid } = prepared.run(parameters)
    return { cols: [], rows: [], affected_row_count: Number(changes), last_insert_rowid: String(lastInsertRowid) }
  }
  const changesBefore = mayWrite(sql) ? totalChanges(connection) : undefined
  // `all` runs the statement to its end, so that it holds no lock afterwards.
  const rows = prepared.raw(true).all(parameters) as NativeValue[][]
  return {
    cols: prepared.columns().map(({ name, type }) => ({ name, decltype: type })),
    rows: statement.want_rows === false ? [] : rows.map((row) => row.map(toWire)),
    affected_row_count: changesBefore === undefined ? 0 : totalChanges(connection) - changesBefore,
    last_insert_rowid: changesBefore === undefined ? null : lastInsertRowid(connection),
  }
}

/** The binding takes a list for `?` and an object, keyed without the sigil, for `:name`, `@name` and `$name`. */
function bind({ args, named_args: named }: Statement): NativeValue[] | Record<string, NativeValue> {
  if (!named?.length) return (args ?? []).map(toNative)
  return Object.fromEntries(named.map(({ name, value }) => [name.replace(/^[:@$]/, ''), toNative(value)]))
}

/** The binding counts changes only for `run`; a statement with RETURNING is read like a query. */
function totalChanges(connection: Connection): number {
  return Number(single(connection, 'SELECT total_changes()'))
}

function lastInsertRowid(connection: Connection): string {
  return String(single(connection, 'SELECT last_insert_rowid()'))
}

function single(connection: Connection, sql: string): NativeValue {
  const [row] = connection.prepare(sql).raw(true).all([]) as NativeValue[][]
  return row?.[0] ?? null
}
