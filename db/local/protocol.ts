/** The part of Hrana v2 (libSQL over HTTP, JSON) that `@libsql/client` uses: one endpoint, `POST /v2/pipeline`. */

/** Integers are decimal text, because JSON numbers end at 2^53; blobs are unpadded base64. */
export type WireValue =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string }

/** The text of the statement, or the id under which `store_sql` stored it. */
export interface SqlText {
  sql?: string | null
  sql_id?: number | null
}

export interface Statement extends SqlText {
  args?: WireValue[]
  named_args?: { name: string; value: WireValue }[]
  /** The rows are returned all the same: sqld does not heed it. */
  want_rows?: boolean | null
}

export type Condition =
  | { type: 'ok' | 'error'; step: number }
  | { type: 'not'; cond: Condition }
  | { type: 'and' | 'or'; conds: Condition[] }
  | { type: 'is_autocommit' }

export interface BatchStep {
  condition?: Condition | null
  stmt: Statement
}

export type StreamRequest =
  | { type: 'execute'; stmt: Statement }
  | { type: 'batch'; batch: { steps: BatchStep[] } }
  | ({ type: 'sequence' | 'describe' } & SqlText)
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'close_sql'; sql_id: number }
  | { type: 'close' | 'get_autocommit' }

export interface StatementResult {
  cols: { name: string; decltype: string | null }[]
  rows: WireValue[][]
  affected_row_count: number
  last_insert_rowid: string | null
}

export interface StatementDescription {
  params: { name: string | null }[]
  cols: StatementResult['cols']
  is_explain: boolean
  is_readonly: boolean
}

export interface BatchResult {
  step_results: (StatementResult | null)[]
  step_errors: (WireError | null)[]
}

interface WireError {
  message: string
  code: string
}

export type StreamResponse =
  | { type: 'execute'; result: StatementResult }
  | { type: 'batch'; result: BatchResult }
  | { type: 'describe'; result: StatementDescription }
  | { type: 'sequence' | 'store_sql' | 'close_sql' | 'close' }

export type StreamResult = { type: 'ok'; response: StreamResponse } | { type: 'error'; error: WireError }

/** `baton` names the stream to continue; each is valid for one request. */
export interface PipelineRequest {
  baton?: string | null
  requests: StreamRequest[]
}

export interface PipelineResponse {
  baton: string | null
  base_url: null
  results: StreamResult[]
}

/** The request is not valid Hrana, or its stream is no more: the pipeline ends here, and its stream with it. */
export class ProtocolError extends Error {
  /** With a code the answer is JSON, else the plain sentence. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** A failure in the words of sqld: of a statement, or of the whole request where it has an HTTP status. */
export class SqldError extends Error {
  readonly code: string
  readonly status: number | undefined

  constructor(code: string, message: string, status?: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** Returns an error in the words of sqld: SQLite's primary codes only, `SQLITE_CONSTRAINT` for each kind of constraint. */
export function toWireError(error: unknown): WireError {
  if (error instanceof SqldError) return { message: error.message, code: error.code }
  const { message = String(error), code = 'SQLITE_ERROR' } = error as { message?: string; code?: string }
  if (!code.startsWith('SQLITE_')) return { message, code }
  if (code !== 'SQLITE_ERROR') return { message: `SQLite error: ${message}`, code: code.split('_', 2).join('_') }
  if (/syntax error|unrecognized token|incomplete input/.test(message)) {
    return { message: `SQL string could not be parsed: ${message}`, code: 'SQL_PARSE_ERROR' }
  }
  return toPreparingError(message)
}

/** Returns SQLite's word on a text that it does not prepare. sqld adds where the fault is, which the binding does not tell. */
export const toPreparingError = (message: string): WireError =>
  LOCATED.test(message)
    ? { message: `SQL input error: ${message}`, code: 'SQL_INPUT_ERROR' }
    : { message: `SQLite error: ${message}`, code: 'SQLITE_UNKNOWN' }

/** What SQLite names a place in the text for. */
const LOCATED =
  /syntax error|unrecognized token|^(no such (column|function)|ambiguous column name|misuse of|wrong number of arguments|variable number)|^(table|view|index) .* already exists/
