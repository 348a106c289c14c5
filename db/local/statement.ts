/** Runs one statement on one connection, which keeps what it has prepared. */
import type Database from 'libsql'
import { mayWrite } from '../may-write.ts'
import type { Connection } from './connections.ts'
import type { AnswerMeter } from './limits.ts'
import { SqldError, type Statement, type StatementResult, toWireError, type WireValue } from './protocol.ts'
import { withinRowLimit } from './row-limit.ts'
import { isPlan, isPragma, parametersOf, splitStatements, verbOf } from './statement-text.ts'
import { isSupported } from './supported.ts'
import { type NativeValue, toNative, toWire } from './values.ts'

/** Bytes of the longest value that a statement may bring and of the longest row, and the count of the answer's bytes. */
interface Measures {
  rowBytes: number
  meter: AnswerMeter
}

/** Throws the binding's error with SQLite's extended code, or SqldError. */
export function runStatement(
  connection: Connection,
  sql: string,
  statement: Statement,
  { rowBytes, meter }: Measures,
): StatementResult {
  const kept = prepare(connection, sql)
  const parameters = bind(statement, kept, rowBytes)
  const execution = { parameters, meter }
  const mayBeTooLong = mayWrite(sql) && bytesOf(parameters) > rowBytes / MEASURED_SHARE
  try {
    if (!mayBeTooLong) return run(connection, kept, execution)
    return withinRowLimit(connection, sql, rowBytes, () => run(connection, kept, execution))
  } catch (error) {
    // The binding leaves a statement that failed half run.
    forget(connection, sql)
    throw error
  }
}

/** Throws as `runStatement` does for a text that is no statement, whatever tables there are. Runs nothing. */
export function assertParses(connection: Connection, sql: string): void {
  try {
    if (KEEPABLE.test(sql)) prepare(connection, sql)
    // Not prepared before its turn.
    else if (isPragma(sql)) assertOneStatement(connection, sql)
    else prepareAnew(connection, sql)
  } catch (error) {
    const { code } = toWireError(error)
    if (code.startsWith('SQL_') && code !== 'SQL_INPUT_ERROR') throw error
  }
}

/** Throws SqldError for a text without a statement that sqld runs, and for one with more. */
function assertOneStatement(connection: Connection, sql: string): void {
  const [first, second] = splitStatements(sql)
  if (first === undefined) throw new SqldError('SQL_NO_STATEMENT', 'SQL string does not contain any statement')
  if (!isSupported(first)) {
    throw new SqldError('SQL_PARSE_ERROR', `SQL string could not be parsed: unsupported statement: ${sql}`)
  }
  if (second === undefined) return
  assertParses(connection, first)
  throw new SqldError('SQL_MANY_STATEMENTS', 'SQL string contains more than one statement')
}

/** Rows are measured where the statement brings more than such a share of the longest: what is short lengthens none. */
const MEASURED_SHARE = 8

/** About the bytes of the values, and never fewer. */
function bytesOf(parameters: NativeValue[]): number {
  let bytes = 0
  for (const value of parameters) {
    if (typeof value === 'string') bytes += value.length * 3
    else if (value instanceof Uint8Array) bytes += value.length
  }
  return bytes
}

interface Execution {
  parameters: NativeValue[]
  meter: AnswerMeter
}

function run(connection: Connection, kept: Prepared, { parameters, meter }: Execution): StatementResult {
  const { prepared, columns } = kept
  if (!columns) {
    const { changes, lastInsertRowid } = prepared.run(parameters)
    return { cols: [], rows: [], ...countsOf(kept, () => [changes, lastInsertRowid]) }
  }
  // `all` runs the statement to its end, so that it holds no lock afterwards.
  const rows = prepared.all(parameters) as NativeValue[][]
  return {
    cols: columns,
    rows: rows.map((row) => readRow(row, meter)),
    // The binding counts only for `run`.
    ...countsOf(kept, () => readCounts(connection)),
  }
}

/** What a statement changed by itself, not by triggers. sqld counts for these statements alone. */
function countsOf({ verb }: Prepared, read: () => (bigint | number)[]) {
  const isInsert = verb === 'insert' || verb === 'replace'
  if (!isInsert && verb !== 'update' && verb !== 'delete') return { affected_row_count: 0, last_insert_rowid: null }
  const [changes, lastRowid] = read()
  return { affected_row_count: Number(changes), last_insert_rowid: isInsert ? String(lastRowid) : null }
}

function readCounts(connection: Connection): bigint[] {
  const [row] = prepare(connection, 'SELECT changes(), last_insert_rowid()').prepared.all([]) as bigint[][]
  return row ?? []
}

/** About the bytes of a value's JSON around its text. */
const VALUE_BYTES = 28

function readRow(row: NativeValue[], meter: AnswerMeter): WireValue[] {
  let bytes = 0
  const values = row.map((value) => {
    bytes +=
      VALUE_BYTES +
      (typeof value === 'string' ? Buffer.byteLength(value) : value instanceof Uint8Array ? value.length : 0)
    return toWire(value)
  })
  meter.add(bytes)
  return values
}

interface Prepared {
  prepared: Database.Statement
  /** The name of each parameter with its sigil, `?7` among them; null for `?`. */
  parameters: (string | null)[]
  /** A plan needs no values. */
  isPlan: boolean
  /** The word that says what it does, such as `insert`. */
  verb: string
  /** Undefined when the statement returns no rows. */
  columns: StatementResult['cols'] | undefined
}

const MAX_KEPT = 300
/** Statements that may be prepared once. A change of tables is prepared each time, and clears the others. */
const KEEPABLE = /^\s*(select|insert|update|delete|replace|with|values|begin|commit|end|rollback)\b/i

const keptBy = new WeakMap<Connection, { schema: number; statements: Map<string, Prepared> }>()
let schemaChanges = 0
let prepareCount = 0

/** Statements prepared so far, by all connections. */
export const countPrepared = (): number => prepareCount

function prepare(connection: Connection, sql: string): Prepared {
  const isKeepable = KEEPABLE.test(sql)
  if (!isKeepable) schemaChanges++
  let kept = keptBy.get(connection)
  if (kept?.schema !== schemaChanges) {
    kept = { schema: schemaChanges, statements: new Map() }
    keptBy.set(connection, kept)
  }
  const known = kept.statements.get(sql)
  if (known) return known
  const made = prepareAnew(connection, sql)
  if (kept.statements.size >= MAX_KEPT) kept.statements.clear()
  if (isKeepable) kept.statements.set(sql, made)
  return made
}

function prepareAnew(connection: Connection, sql: string): Prepared {
  prepareCount++
  assertOneStatement(connection, sql)
  const prepared = connection.prepare(sql)
  const read = { parameters: parametersOf(sql), isPlan: isPlan(sql), verb: verbOf(sql) }
  if (!prepared.reader) return { ...read, prepared, columns: undefined }
  const columns = prepared.columns().map(({ name, type }) => ({ name, decltype: type }))
  return { ...read, prepared: prepared.raw(true), columns }
}

const forget = (connection: Connection, sql: string) => keptBy.get(connection)?.statements.delete(sql)

/** Throws SqldError for a statement with both kinds of arguments. */
export function assertOneKind({ args, named_args: named }: Statement): void {
  if (!args?.length || !named?.length) return
  const message = 'Specifying both positional and named arguments is not supported'
  throw new SqldError('ARGS_BOTH_POSITIONAL_AND_NAMED', message)
}

/** Returns a value for each parameter. */
function bind(statement: Statement, { parameters, isPlan }: Prepared, maxBytes: number): NativeValue[] {
  assertOneKind(statement)
  const { args = [], named_args: list = [] } = statement
  const named = new Map(list.map(({ name, value }) => [name, value]))
  const given = args.length + named.size
  if (given > parameters.length) {
    throw mismatch(`too many parameters, expected ${parameters.length} found ${given}`)
  }
  if (isPlan) return args.map((value) => toNative(value, maxBytes))
  return parameters.map((name, index) => {
    const value =
      name && !name.startsWith('?')
        ? (named.get(name) ?? named.get(name.slice(1)))
        : args[name ? Number(name.slice(1)) - 1 : index]
    if (!value) throw mismatch(`value for parameter ${name ?? index + 1} not found`)
    return toNative(value, maxBytes)
  })
}

const mismatch = (reason: string) => new SqldError('ARGS_INVALID', `Arguments do not match SQL parameters: ${reason}`)
