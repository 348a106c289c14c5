/** A client's session with the database: its connection, and the statements stored on it. */
import { mayWrite } from '../may-write.ts'
import type { Connection, ConnectionPool } from './connections.ts'
import { describeStatement } from './description.ts'
import { type AnswerMeter, UNMETERED } from './limits.ts'
import {
  type BatchResult,
  type BatchStep,
  type Condition,
  ProtocolError,
  SqldError,
  type SqlText,
  type Statement,
  type StatementResult,
  type StreamRequest,
  type StreamResponse,
  type StreamResult,
  toWireError,
} from './protocol.ts'
import { assertOneKind, assertParses, runStatement } from './statement.ts'
import { isPlan, splitStatements } from './statement-text.ts'
import type { WriteLock, Writer } from './write-lock.ts'

type StoredText = Extract<StreamRequest, { type: 'store_sql' }>

interface Parts {
  pool: ConnectionPool
  lock: WriteLock
  /** Bytes of the longest value that a statement may bring, and of the longest row. */
  rowBytes: number
}

export class Stream implements Writer {
  readonly #pool: ConnectionPool
  readonly #lock: WriteLock
  readonly #rowBytes: number
  readonly #connection: Connection
  readonly #stored = new Map<number, string>()
  #endTurn: (() => void) | undefined
  /** The connection is good for no other stream. The binding leaves an EXPLAIN half run, and what is written then uncommitted. */
  #broken = false
  #timedOut = false
  closed = false

  constructor({ pool, lock, rowBytes }: Parts) {
    this.#pool = pool
    this.#lock = lock
    this.#rowBytes = rowBytes
    this.#connection = pool.take()
  }

  /**
   * It is a promise only while it waits to write. What a statement fails with is an answer of type `error`.
   * Throws or rejects with ProtocolError for what cannot be asked: the stream is to be closed then.
   */
  answer(request: StreamRequest, meter: AnswerMeter): StreamResult | Promise<StreamResult> {
    try {
      if (this.closed) throw new ProtocolError('Stream for this baton was closed')
      if (!this.#endTurn && this.#mayWrite(request)) {
        const endTurn = this.#lock.tryTake(this)
        if (!endTurn) return this.#waitToRun(request, meter)
        this.#endTurn = endTurn
      }
    } catch (error) {
      return failure(error)
    }
    return this.#run(request, meter)
  }

  /** Ends a transaction that others waited for too long. What runs next fails. */
  abort(): void {
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK')
    this.#timedOut = true
    this.#giveTurnBack()
  }

  /** Rolls back an open transaction and frees the connection. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.#pool.give(this.#connection, this.#broken)
    this.#giveTurnBack()
  }

  async #waitToRun(request: StreamRequest, meter: AnswerMeter): Promise<StreamResult> {
    try {
      this.#endTurn = await this.#lock.take(this)
    } catch (error) {
      return failure(error)
    }
    if (!this.closed) return this.#run(request, meter)
    // The stream was given up while it waited.
    this.#giveTurnBack()
    throw new ProtocolError('Stream for this baton was closed')
  }

  #run(request: StreamRequest, meter: AnswerMeter): StreamResult {
    try {
      return { type: 'ok', response: this.#respond(request, meter) }
    } catch (error) {
      return failure(error)
    } finally {
      if (!this.closed && this.#endTurn && !this.#connection.inTransaction) this.#giveTurnBack()
    }
  }

  #respond(request: StreamRequest, meter: AnswerMeter): StreamResponse {
    switch (request.type) {
      case 'execute':
        this.#assertInTime()
        return { type: 'execute', result: this.#execute(request.stmt, meter) }
      case 'batch':
        return { type: 'batch', result: this.#batch(request.batch.steps, meter) }
      case 'sequence':
        this.#sequence(splitStatements(this.#textOf(request)))
        return { type: 'sequence' }
      case 'store_sql':
        this.#store(request)
        return { type: 'store_sql' }
      case 'close_sql':
        this.#stored.delete(request.sql_id)
        return { type: 'close_sql' }
      case 'close':
        this.close()
        return { type: 'close' }
      case 'get_autocommit':
        throw ofVersion3('The `get_autocommit` request')
      case 'describe':
        this.#broken = true
        return { type: 'describe', result: describeStatement(this.#connection, this.#textOf(request)) }
    }
  }

  /** A batch takes its turn before it begins, so that what it read is still true when it writes. */
  #mayWrite(request: StreamRequest): boolean {
    switch (request.type) {
      case 'execute':
        return mayWrite(this.#textOf(request.stmt))
      case 'batch':
        return request.batch.steps.some(({ stmt }) => mayWrite(this.#textOf(stmt)))
      case 'sequence':
        return splitStatements(this.#textOf(request)).some(mayWrite)
      default:
        return false
    }
  }

  #execute(statement: Statement, meter: AnswerMeter): StatementResult {
    const sql = this.#textOf(statement)
    if (isPlan(sql)) this.#broken = true
    try {
      return runStatement(this.#connection, sql, statement, { rowBytes: this.#rowBytes, meter })
    } catch (error) {
      // After SQLITE_BUSY the binding leaves its statement half run, which would break the connection's next user.
      if (toWireError(error).code.startsWith('SQLITE_BUSY')) this.#broken = true
      throw error
    }
  }

  /**
   * In one go, so that nothing else gets in between. Throws SqldError when the answer is too long, and, before the first step,
   * what a step's text or arguments are refused with.
   */
  #batch(steps: BatchStep[], meter: AnswerMeter): BatchResult {
    for (const [index, { condition, stmt }] of steps.entries()) {
      assertParses(this.#connection, this.#textOf(stmt))
      assertOneKind(stmt)
      if (condition) assertRefersBack(condition, index)
    }
    if (this.#endTimeout())
      return { step_results: steps.map(() => null), step_errors: steps.map(() => toWireError(TIMED_OUT)) }
    const result: BatchResult = { step_results: [], step_errors: [] }
    for (const [index, step] of steps.entries()) {
      result.step_results[index] = null
      result.step_errors[index] = null
      if (step.condition && !holds(step.condition, result.step_results)) continue
      try {
        result.step_results[index] = this.#execute(step.stmt, meter)
      } catch (error) {
        if (isTooLong(error)) throw error
        result.step_errors[index] = toWireError(error)
      }
    }
    return result
  }

  /** Throws what a text is refused with before the first of them, and ends with the first that fails. Drops their rows. */
  #sequence(texts: string[]): void {
    for (const sql of texts) assertParses(this.#connection, sql)
    this.#assertInTime()
    for (const sql of texts) this.#execute({ sql }, UNMETERED)
  }

  #assertInTime(): void {
    if (this.#endTimeout()) throw TIMED_OUT
  }

  /** Returns true once after `abort`. As in sqld, what comes then runs outside of the transaction that was ended. */
  #endTimeout(): boolean {
    const isTimedOut = this.#timedOut
    this.#timedOut = false
    return isTimedOut
  }

  #store({ sql_id: id, sql }: StoredText): void {
    const bytes = Buffer.byteLength(sql)
    if (this.#stored.has(id)) throw new ProtocolError(`SQL text ${id} already exists`)
    if (this.#stored.size >= MAX_STORED) {
      const message = `The server already stores ${MAX_STORED} SQL texts, it cannot store more`
      throw new SqldError('SQL_STORE_TOO_MANY', message)
    }
    if (bytes > MAX_STORED_BYTES) {
      const message = `The statement is too large to be stored: ${inKilobytes(bytes)}/${inKilobytes(MAX_STORED_BYTES)}`
      throw new SqldError('SQL_STORE_TOO_LARGE', message)
    }
    this.#stored.set(id, sql)
  }

  #textOf({ sql, sql_id: id }: SqlText): string {
    if (typeof id !== 'number') {
      if (typeof sql !== 'string') throw new ProtocolError('Either `sql` or `sql_id` are required')
      return sql
    }
    if (typeof sql === 'string') throw new ProtocolError('Either `sql` or `sql_id` are required, but not both')
    const text = this.#stored.get(id)
    if (text === undefined) throw new ProtocolError(`SQL text ${id} not found`)
    return text
  }

  #giveTurnBack(): void {
    this.#endTurn?.()
    this.#endTurn = undefined
  }
}

/** Texts that a stream stores, and bytes of the longest. */
const MAX_STORED = 50
const MAX_STORED_BYTES = 5_000

const inKilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`

const TIMED_OUT = new SqldError('TRANSACTION_TIMEOUT', 'Transaction timed out')

const isTooLong = (error: unknown) => error instanceof SqldError && error.code === 'RESPONSE_TOO_LARGE'

function failure(error: unknown): StreamResult {
  if (error instanceof ProtocolError) throw error
  return { type: 'error', error: toWireError(error) }
}

const ofVersion3 = (what: string) =>
  new ProtocolError(`${what} is only supported in protocol version hrana3 and higher`)

/** Throws ProtocolError for a condition of step `index` that a step before it does not decide. */
function assertRefersBack(condition: Condition, index: number): void {
  switch (condition.type) {
    case 'is_autocommit':
      throw ofVersion3('BatchCond of type `is_autocommit`')
    case 'not':
      assertRefersBack(condition.cond, index)
      break
    case 'and':
    case 'or':
      for (const part of condition.conds) assertRefersBack(part, index)
      break
    default:
      if (condition.step >= index) throw new ProtocolError('Invalid reference to step in a batch condition')
  }
}

function holds(condition: Condition, results: BatchResult['step_results']): boolean {
  switch (condition.type) {
    case 'ok':
      return Boolean(results[condition.step])
    // Also of a step that was left out.
    case 'error':
      return !results[condition.step]
    case 'not':
      return !holds(condition.cond, results)
    case 'and':
      return condition.conds.every((part) => holds(part, results))
    case 'or':
      return condition.conds.some((part) => holds(part, results))
    case 'is_autocommit':
      return false
  }
}
