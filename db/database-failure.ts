import { LibsqlError } from '@libsql/client/web'
import { DrizzleQueryError } from 'drizzle-orm'

/** Returns true when the database could not do what it was asked to. Drizzle wraps the failures of single statements only. */
export const isDatabaseFailure = (error: unknown): boolean =>
  error instanceof DrizzleQueryError || error instanceof LibsqlError
