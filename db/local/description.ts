/** Answers `describe` requests: what a statement takes and returns, without running it. */
import type { Connection } from './connections.ts'
import { SqldError, type StatementDescription, toPreparingError } from './protocol.ts'
import { isPlan, parametersOf, splitStatements, withoutExplain } from './statement-text.ts'

/** Throws SqldError for a text that SQLite does not prepare. The one whose text sqld does not parse by itself first. */
export function describeStatement(connection: Connection, sql: string): StatementDescription {
  if (splitStatements(sql).length === 0) return { params: [], cols: [], is_explain: false, is_readonly: true }
  const prepared = prepare(connection, sql)
  const columns = prepared.reader ? prepared.columns() : []
  return {
    params: parametersOf(sql).map((name) => ({ name })),
    cols: columns.map(({ name, type }) => ({ name, decltype: type })),
    is_explain: isPlan(sql),
    is_readonly: isReadOnly(connection, sql),
  }
}

function prepare(connection: Connection, sql: string) {
  try {
    return connection.prepare(sql)
  } catch (error) {
    const { code, message } = toPreparingError((error as Error).message)
    throw new SqldError(code, message)
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
