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
  sql?: string
  sql_id?: number
}

export interface Statement extends SqlText {
  args?: WireValue[]
  named_args?: { name: string; value: WireValue }[]
  want_rows?: boolean
}

export type Condition =
  | { type: 'ok' | 'error'; step: number }
  | { type: 'not'; cond: Condition }
  | { type: 'and' | 'or'; conds: Condition[] }

export interface BatchStep {
  condition?: Condition
  stmt: Statement
}

export type StreamRequest =
  | { type: 'execute'; stmt: Statement }
  | { type: 'batch'; batch: { steps: BatchStep[] } }
  | ({ type: 'sequence' } & SqlText)
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'close_sql'; sql_id: number }
  | { type: 'close' }

export interface StatementResult {
  cols: { name: string; decltype: string | null }[]
  rows: WireValue[][]
  affected_row_count: number
  last_insert_rowid: string | null
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

/** The request is not valid Hrana; nothing was run for it. */
export class ProtocolError extends Error {
  readonly code = 'HRANA_PROTO_ERROR'
}

/** Returns an error in the words of sqld: SQLite's primary codes only, `SQLITE_CONSTRAINT` for each kind of constraint. */
export function toWireError(error: unknown): WireError {
  const { message = String(error), code = 'SQLITE_ERROR' } = error as { message?: string; code?: string }
  if (!code.startsWith('SQLITE_')) return { message, code }
  if (code !== 'SQLITE_ERROR') return { message: `SQLite error: ${message}`, code: code.split('_', 2).join('_') }
  if (/syntax error|unrecognized token|incomplete input/.test(message)) {
    return { message: `SQL string could not be parsed: ${message}`, code: 'SQL_PARSE_ERROR' }
  }
  return { message: `SQLite error: ${message}`, code: 'SQLITE_UNKNOWN' }
}
