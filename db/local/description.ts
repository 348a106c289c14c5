/** Answers `describe` requests: what a statement takes and returns, without running it. */
import type { Connection } from './connections.ts'
import type { StatementDescription } from './protocol.ts'
import { isPlan, parametersOf, withoutExplain } from './statement-text.ts'

/** Throws the binding's error for a text that SQLite does not prepare. */
export function describeStatement(connection: Connection, sql: string): StatementDescription {
  const prepared = connection.prepare(sql)
  const columns = prepared.reader ? prepared.columns() : []
  return {
    params: parametersOf(sql).map((name) => ({ name })),
    cols: columns.map(({ name, type }) => ({ name, decltype: type })),
    is_explain: isPlan(sql),
    is_readonly: isReadOnly(connection, sql),
  }
}

/** As `sqlite3_stmt_readonly`, which the binding lacks: of an EXPLAIN it says what holds for the statement itself. */
function isReadOnly(connection: Connection, sql: string): boolean {
  const program = connection
    .prepare(`explain ${withoutExplain(sql)}`)
    .raw(true)
    .all([]) as [bigint, string, bigint, bigint][]
  return !program.some(([, opcode, , flag]) => WRITES.has(opcode) || (opcode === 'Transaction' && Number(flag) !== 0))
}

/** Besides a transaction that writes. */
const WRITES = new Set(['Checkpoint', 'JournalMode', 'Vacuum'])
