/** Fixed windows in which uses are counted. */
import { and, not, type SQL, sql } from 'drizzle-orm'
import { rateLimits } from './schema/index.ts'
import type { Database } from './tenant-guard.ts'

interface Taking {
  /** The key of the row. */
  key: string
  amount: number | SQL
  /** Seconds since 1970. */
  now: number
  windowSeconds: number
}

/**
 * Returns the statement that takes an amount from a window and answers its row afterwards. It refuses nothing.
 * @param unless what keeps it from counting
 */
export function takeStatement(db: Database, { key, amount, now, windowSeconds }: Taking, unless: SQL[] = []) {
  const isOpen = sql`${rateLimits.windowEnd} > ${now}`
  return db
    .insert(rateLimits)
    .select(sql`select ${key}, ${now + windowSeconds}, ${amount} where ${and(sql`true`, ...unless.map(not))}`)
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`CASE WHEN ${isOpen} THEN ${rateLimits.count} + excluded.count ELSE excluded.count END`,
        windowEnd: sql`CASE WHEN ${isOpen} THEN ${rateLimits.windowEnd} ELSE excluded.window_end END`,
      },
    })
    .returning()
}
