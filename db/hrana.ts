/**
 * Sends statements to libSQL in one request: Hrana 2 over JSON, as `@libsql/client` speaks it. That one builds each request
 * and each row through several layers of objects, which cost a prediction more than its queries.
 */
import { type InArgs, type InStatement, type InValue, LibsqlBatchError, LibsqlError } from '@libsql/client/web'
import { namedRows } from './named-rows.ts'

/** The result of one statement. Each row is a list of values in the order of the columns. */
export interface Answer {
  columns: string[]
  values: unknown[][]
  /** The values by their columns' names and, as lists are read, by their numbers. */
  readonly rows: Record<string, unknown>[]
  rowsAffected: number
  lastInsertRowid: bigint | undefined
}

interface Hrana {
  execute(statement: InStatement): Promise<Answer>
  /** In one transaction, which changes nothing when a statement fails. */
  batch(statements: InStatement[]): Promise<Answer[]>
}

type WireValue =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string }

interface WireStatement {
  sql: string
  args: WireValue[]
  want_rows: true
}

interface WireError {
  message: string
  code?: string
}

interface WireResult {
  cols: { name: string | null }[]
  rows: WireValue[][]
  affected_row_count: number
  last_insert_rowid: string | null
}

type StreamResult<Response> = { type: 'ok'; response: { result: Response } } | { type: 'error'; error: WireError }

interface BatchResult {
  step_results: (WireResult | null)[]
  step_errors: (WireError | null)[]
}

/** The database's address and how to reach it. */
export interface Network {
  fetch(address: string, init: RequestInit): Promise<Response>
}

export function openHrana(url: string, authToken: string | undefined, network: Network): Hrana {
  const address = `${url.replace(/^libsql:/, 'https:').replace(/\/$/, '')}/v2/pipeline`
  const headers = { 'content-type': 'application/json', ...(authToken && { authorization: `Bearer ${authToken}` }) }

  async function send<Result>(request: object): Promise<Result> {
    const body = JSON.stringify({ baton: null, requests: [request, { type: 'close' }] })
    const response = await network.fetch(address, { method: 'POST', headers, body })
    if (!response.ok) throw await readRefusal(response)
    const { results } = (await response.json()) as { results: [StreamResult<Result>] }
    if (results[0].type === 'error') throw errorOf(results[0].error)
    return results[0].response.result
  }

  return {
    async execute(statement) {
      return answerOf(await send<WireResult>({ type: 'execute', stmt: toWire(statement) }))
    },
    async batch(statements) {
      const batch = { steps: transactionOf(statements.map(toWire)) }
      return readAnswers(await send<BatchResult>({ type: 'batch', batch }), statements.length)
    },
  }
}

/** Each step runs when the one before it did; the last one when COMMIT did not. */
function transactionOf(statements: WireStatement[]): object[] {
  const all = [{ sql: 'BEGIN DEFERRED' }, ...statements, { sql: 'COMMIT' }]
  const steps = all.map((stmt, step) => (step === 0 ? { stmt } : { stmt, condition: { type: 'ok', step: step - 1 } }))
  const notCommitted = { type: 'not', cond: { type: 'ok', step: all.length - 1 } }
  return [...steps, { stmt: { sql: 'ROLLBACK' }, condition: notCommitted }]
}

/** Throws the error of the first statement that failed, with its index. */
function readAnswers({ step_results: results, step_errors: errors }: BatchResult, count: number): Answer[] {
  const failed = errors.findIndex((error, step) => error !== null && step <= count + 1)
  if (failed > 0 && failed <= count) {
    const { message, code } = errors[failed] as WireError
    throw new LibsqlBatchError(message, failed - 1, code ?? 'UNKNOWN')
  }
  if (failed >= 0) throw errorOf(errors[failed] as WireError)
  return results.slice(1, count + 1).map((result) => answerOf(result as WireResult))
}

/** Servers say in JSON why they refuse, and proxies before them in whatever they like. */
async function readRefusal(response: Response): Promise<LibsqlError> {
  const text = await response.text()
  const said = response.headers.get('content-type') === 'application/json' ? (JSON.parse(text) as WireError) : undefined
  return said?.message
    ? errorOf(said)
    : new LibsqlError(`Server returned HTTP status ${response.status}`, 'SERVER_ERROR')
}

const errorOf = ({ message, code }: WireError) => new LibsqlError(message, code ?? 'UNKNOWN')

function answerOf(result: WireResult): Answer {
  const columns = result.cols.map(({ name }) => name ?? '')
  const values = result.rows.map((row) => row.map(fromWire))
  return {
    columns,
    values,
    get rows() {
      return namedRows(columns, values)
    },
    rowsAffected: result.affected_row_count,
    lastInsertRowid: result.last_insert_rowid === null ? undefined : BigInt(result.last_insert_rowid),
  }
}

function toWire(statement: InStatement): WireStatement {
  const { sql, args = [] } = typeof statement === 'string' ? { sql: statement } : statement
  return { sql, args: positional(args).map(valueToWire), want_rows: true }
}

function positional(args: InArgs): InValue[] {
  if (Array.isArray(args)) return args as InValue[]
  throw new TypeError('Parameters are sent by their places')
}

function valueToWire(value: InValue): WireValue {
  if (value === null) return { type: 'null' }
  switch (typeof value) {
    case 'string':
      return { type: 'text', value }
    case 'number':
      if (!Number.isFinite(value)) throw new RangeError('Only finite numbers can be stored')
      return { type: 'float', value }
    case 'bigint':
      return { type: 'integer', value: String(value) }
    case 'boolean':
      return { type: 'integer', value: value ? '1' : '0' }
  }
  if (value instanceof Date) return { type: 'float', value: value.getTime() }
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
    return {
      type: 'blob',
      base64: Buffer.from(value as Uint8Array)
        .toString('base64')
        .replaceAll('=', ''),
    }
  }
  throw new TypeError('A value of this type cannot be stored')
}

function fromWire(value: WireValue): unknown {
  switch (value.type) {
    case 'null':
      return null
    case 'integer':
      return safeInteger(value.value)
    case 'blob': {
      const bytes = Buffer.from(value.base64, 'base64')
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    }
    default:
      return value.value
  }
}

function safeInteger(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  throw new RangeError('Received integer which is too large to be safely represented as a JavaScript number')
}
