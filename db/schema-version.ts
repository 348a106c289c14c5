/** Compares the migrations of a database with those that this build was made with. */
import { sql } from 'drizzle-orm'
import journal from '../migrations/meta/_journal.json' with { type: 'json' }
import type { Database } from './client.ts'
import { mismatchIn } from './schema-check.ts'

/** The time of this build's newest migration, in milliseconds since 1970. */
export const SCHEMA_VERSION = Math.max(...journal.entries.map(({ when }) => when))

/** Numbers of migrations: both are 0 where the database has exactly the schema of this build. */
interface SchemaDifference {
  /** Migrations that the database lacks. */
  missing: number
  /** Migrations of a newer version, which this build does not know. */
  unknown: number
}

/** Takes one round trip. Throws when the database fails. */
export async function compareSchema(db: Database): Promise<SchemaDifference> {
  try {
    const rows = await db.all<{ time: number }>(sql`select created_at as time from __drizzle_migrations`)
    const applied = new Set(rows.map(({ time }) => Number(time)))
    const expected = new Set(journal.entries.map(({ when }) => when))
    return { missing: countMissing(expected, applied), unknown: countMissing(applied, expected) }
  } catch (error) {
    // An isolate that has not read anything yet is refused.
    const mismatch = mismatchIn(error)
    if (!mismatch) throw error
    return mismatch.isNewer ? { missing: 0, unknown: 1 } : { missing: 1, unknown: 0 }
  }
}

const countMissing = (of: Set<number>, among: Set<number>): number => [...of].filter((time) => !among.has(time)).length
