/** Refuses a database that is older or newer than the code, with the first requests of an isolate. */
import { LibsqlError } from '@libsql/client/web'
import { DrizzleQueryError } from 'drizzle-orm'
import type { PartStatement } from './long-text.ts'

/** The database has another schema than the code. Its message is for the operator's log. */
class SchemaMismatch extends LibsqlError {
  /** A newer version of Heddle has migrated the database; otherwise it lacks migrations. */
  readonly isNewer: boolean

  constructor(message: string, isNewer: boolean) {
    super(message, 'SCHEMA_MISMATCH')
    this.name = 'SchemaMismatch'
    this.isNewer = isNewer
  }
}

/** Returns the mismatch that an error is, or that Drizzle wrapped. */
export function mismatchIn(error: unknown): SchemaMismatch | undefined {
  if (error instanceof SchemaMismatch) return error
  return error instanceof DrizzleQueryError && error.cause instanceof SchemaMismatch ? error.cause : undefined
}

/** Fails unless the newest migration is this one, so that what follows in its transaction is not done. */
export const schemaIs = (version: number): PartStatement => ({
  sql: "select json(iif(max(created_at) = ?, '1', '')) from __drizzle_migrations",
  args: [version],
})

/** Returns when the newest migration was made. */
export const readSchema: PartStatement = { sql: 'select max(created_at) from __drizzle_migrations', args: [] }

/** @param newest - undefined in a database without migrations */
export function mismatchOf(newest: number | undefined, version: number): LibsqlError {
  const isNewer = newest !== undefined && newest > version
  return new SchemaMismatch(
    isNewer
      ? 'The database was migrated by a newer version of Heddle. Deploy that version, or restore the backup from before the upgrade (see UPGRADING.md).'
      : 'The database lacks migrations of this version of Heddle. Back it up, then run npm run db:migrate.',
    isNewer,
  )
}
