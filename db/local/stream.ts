/** A client's session with the database: its connection, and the statements stored on it. */
import type { Connection, ConnectionPool } from './connections.ts'
import {
  type BatchResult,
  type BatchStep,
  type Condition,
  ProtocolError,
  type SqlText,
  type Statement,
  type StatementResult,
  type StreamRequest,
  type StreamResponse,
  type StreamResult,
  toWireError,
} from './protocol.ts'
import { runStatement } from './statement.ts'
import { mayWrite, type WriteLock } from './write-lock.ts'

export class Stream {
  readonly #pool: ConnectionPool
  readonly #writer: WriteLock
  readonly #connection: Connection
  readonly #stored = new Map<number, string>()
  #endTurn: (() => void) | undefined
  #broken = false
  closed = false

  constructor(pool: ConnectionPool, writer: WriteLock) {
    this.#pool = pool
    this.#writer = writer
    this.#connection = pool.take()
  }

  /** Never rejects: failures become responses of type `error`. */
  async answer(request: StreamRequest): Promise<StreamResult> {
    try {
      return { type: 'ok', response: await this.#run(request) }
    } catch (error) {
      return { type: 'error', error: toWireError(error) }
    } finally {
      if (!this.closed && !this.#connection.inTransaction) this.#giveTurnBack()
    }
  }

  /** Rolls back an open transaction and frees the connection. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.#pool.give(this.#connection, this.#broken)
    this.#giveTurnBack()
  }

  async #run(request: StreamRequest): Promise<StreamResponse> {
    if (this.closed) throw new ProtocolError('The stream is closed')
    switch (request?.type) {
      case 'execute': {
        const sql = this.#textOf(request.stmt)
        await this.#takeTurn([sql])
        return { type: 'execute', result: this.#execute(sql, request.stmt) }
      }
      case 'batch': {
        const steps = request.batch.steps.map((step) => ({ ...step, sql: this.#textOf(step.stmt) }))
        await this.#takeTurn(steps.map((step) => step.sql))
        return { type: 'batch', result: this.#batch(steps) }
      }
      case 'sequence': {
        const sql = this.#textOf(request)
        await this.#takeTurn([sql])
        this.#connection.exec(sql)
        return { type: 'sequence' }
      }
      case 'store_sql':
        this.#stored.set(request.sql_id, request.sql)
        return { type: 'store_sql' }
      case 'close_sql':
        this.#stored.delete(request.sql_id)
        return { type: 'close_sql' }
      case 'close':
        this.close()
        return { type: 'close' }
      default:
        throw new ProtocolError(`This server does not know the request "${(request as { type?: string })?.type}"`)
    }
  }

  #execute(sql: string, statement: Statement): StatementResult {
    try {
      return runStatement(this.#connection, sql, statement)
    } catch (error) {
      // After SQLITE_BUSY the binding leaves its statement half run, which would break the connection's next user.
      if (toWireError(error).code.startsWith('SQLITE_BUSY')) this.#broken = true
      throw error
    }
  }

  #batch(steps: (BatchStep & { sql: string })[]): BatchResult {
    const result: BatchResult = { step_results: [], step_errors: [] }
    for (const [index, step] of steps.entries()) {
      result.step_results[index] = null
      result.step_errors[index] = null
      if (step.condition && !holds(step.condition, result)) continue
      try {
        result.step_results[index] = this.#execute(step.sql, step.stmt)
      } catch (error) {
        result.step_errors[index] = toWireError(error)
      }
    }
    return result
  }

  #textOf({ sql, sql_id: id }: SqlText): string {
    const text = sql ?? (id === undefined ? undefined : this.#stored.get(id))
    if (typeof text !== 'string') throw new ProtocolError('A statement needs its text, or the id of a stored text')
    return text
  }

  /** A batch waits for its turn before it begins, so that its reads are still valid when it writes. */
  async #takeTurn(texts: string[]): Promise<void> {
    if (!this.#endTurn && texts.some(mayWrite)) this.#endTurn = await this.#writer.take()
    // The stream may have been closed while it waited.
    if (this.closed) {
      this.#giveTurnBack()
      throw new ProtocolError('The stream is closed')
    }
  }

  #giveTurnBack(): void {
    this.#endTurn?.()
    this.#endTurn = undefined
  }
}

function holds(condition: Condition, { step_results, step_errors }: BatchResult): boolean {
  const all = { step_results, step_errors }
  switch (condition?.type) {
    case 'ok':
      return Boolean(step_results[condition.step])
    case 'error':
      return Boolean(step_errors[condition.step])
    case 'not':
      return !holds(condition.cond, all)
    case 'and':
      return condition.conds.every((part) => holds(part, all))
    case 'or':
      return condition.conds.some((part) => holds(part, all))
    default:
      throw new ProtocolError('This server does not know that batch condition')
  }
}
