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

  constructor(reason: string, outcome: Outcome, options?: { cause?: unknown }) {
    super(reason, 'SERVER_ERROR')
    this.name = 'DatabaseFault'
    this.reason = reason
    this.outcome = outcome
    this.cause = options?.cause
  }

  /** Returns the fault once it is known what became of the request. */
  decided(outcome: Outcome): DatabaseFault {
    return new DatabaseFault(this.reason, outcome, { cause: this.cause })
  }
}

/** Returns the fault that an error is, or that Drizzle wrapped. */
export function faultOf(error: unknown): DatabaseFault | undefined {
  if (error instanceof DatabaseFault) return error
  return error instanceof DrizzleQueryError && error.cause instanceof DatabaseFault ? error.cause : undefined
}
