const READS =
  /^\s*(select|values|explain|commit|end|rollback|savepoint|release|begin(\s+deferred)?(\s+transaction)?\s*;?\s*$)/i
const READING_PRAGMA = /^\s*pragma[^=]*$/i
const READING_WITH = /^\s*with\b(?!.*\b(insert|update|delete|replace)\b)/is

/** Returns true for statements that change tables in place of rows. */
export const changesSchema = (sql: string): boolean =>
  /^\s*(create|alter|drop|pragma|vacuum|reindex|analyze)\b/i.test(sql)

const MAX_KNOWN = 2000
const verdicts = new Map<string, boolean>()

/** Returns true when a statement may need the writer's turn. When in doubt it does: that costs a wait, never correctness. */
export function mayWrite(sql: string): boolean {
  const before = verdicts.get(sql)
  if (before !== undefined) return before
  const may = !(READS.test(sql) || READING_PRAGMA.test(sql) || READING_WITH.test(sql))
  if (verdicts.size >= MAX_KNOWN) verdicts.clear()
  verdicts.set(sql, may)
  return may
}
