import { LibsqlError } from '@libsql/client/web'
import { DrizzleQueryError } from 'drizzle-orm'

/** Returns true when the database could not do what it was asked to. Drizzle wraps the failures of single statements only. */
export const isDatabaseFailure = (error: unknown): boolean =>
  error instanceof DrizzleQueryError || error instanceof LibsqlError

/** The outcome of a request whose answer did not arrive. */
export type Outcome = 'nothing-done' | 'written' | 'unknown'

/** The database could not be asked, or its answer did not arrive. Its message is for the operator's log. */
export class DatabaseFault extends LibsqlError {
  readonly reason: string
  readonly outcome: Outcome
  /** Asks again, for an unknown outcome of a write. */
  readonly settle: (() => Promise<Outcome>) | undefined

  constructor(reason: string, outcome: Outcome, options?: { cause?: unknown; settle?: () => Promise<Outcome> }) {
    super(reason, 'SERVER_ERROR')
    this.name = 'DatabaseFault'
    this.reason = reason
    this.outcome = outcome
    this.cause = options?.cause
    this.settle = options?.settle
  }

  /** Returns the fault once it is known what became of the request. */
  decided(outcome: Outcome, settle?: () => Promise<Outcome>): DatabaseFault {
    return new DatabaseFault(this.reason, outcome, { cause: this.cause, settle })
  }
}

/** Returns the fault that an error is, or that Drizzle wrapped. */
export function faultOf(error: unknown): DatabaseFault | undefined {
  if (error instanceof DatabaseFault) return error
  return error instanceof DrizzleQueryError && error.cause instanceof DatabaseFault ? error.cause : undefined
}
