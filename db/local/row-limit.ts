/** Bounds the rows that statements write. SQLite has such a limit itself, but the binding cannot set it. */
import type { Connection } from './connections.ts'
import { SqldError } from './protocol.ts'

const MESSAGE = 'string or blob too big'

/**
 * Runs a statement, and undoes it when it writes a row of more bytes. Rows that triggers write are not measured, nor are
 * those of an index.
 */
export function withinRowLimit<Result>(
  connection: Connection,
  sql: string,
  maxBytes: number,
  run: () => Result,
): Result {
  // A schema that is only this connection's: triggers that live as long as the statement.
  const guards = tablesOf(connection, sql).flatMap(({ name, bytes }) =>
    ['insert', 'update'].map((event) => ({
      id: `${name}_${event}`,
      rule: `after ${event} on main."${name}" when ${bytes} > ${maxBytes} begin select raise(abort, '${MESSAGE}'); end`,
    })),
  )
  connection.exec(guards.map(({ id, rule }) => `create temp trigger "${id}" ${rule};`).join(''))
  try {
    return run()
  } catch (error) {
    const isTooBig = error instanceof Error && error.message === MESSAGE
    throw isTooBig ? new SqldError('SQLITE_TOOBIG', `SQLite error: ${MESSAGE}`) : error
  } finally {
    connection.exec(guards.map(({ id }) => `drop trigger temp."${id}";`).join(''))
  }
}

/** Returns the tables that the statement may write, each with the SQL that measures its new row. */
function tablesOf(connection: Connection, sql: string): { name: string; bytes: string }[] {
  const names = [...sql.matchAll(/\b(?:into|update)\s+"?(\w+)/gi)].map(([, name]) => name)
  const columns = connection
    .prepare(COLUMNS)
    .raw(true)
    .all([JSON.stringify(names)]) as [string, string, bigint][]
  return [...Map.groupBy(columns, ([table]) => table)].map(([name, ofTable]) => ({
    name,
    bytes: `1 + ${ofTable.map(([, column, isRowid]) => (isRowid ? '1' : bytesOf(`new."${column}"`))).join(' + ')}`,
  }))
}

/** The row has a null in place of an integer that is its key. */
const COLUMNS = `
  select t.name, c.name, c.pk = 1 and lower(c.type) = 'integer' from sqlite_schema t join pragma_table_info(t.name) c
  where t.type = 'table' and t.sql like 'create table%' and lower(t.name) in (select lower(value) from json_each(?))`

/** The bytes of a value, and of its type in the header: numbers as if they were as long as they can be. */
const bytesOf = (value: string): string => {
  const length = `octet_length(${value})`
  return `case typeof(${value}) when 'null' then 1 when 'integer' then 9 when 'real' then 9 else ${length} + case
    when ${length} < 58 then 1 when ${length} < 8186 then 2 when ${length} < 1048570 then 3 else 4 end end`
}
