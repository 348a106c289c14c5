/** Reads the text of a statement, where the binding tells nothing of it. */
import { SqldError } from './protocol.ts'

const EXPLAIN = /^\s*explain\b(\s+query\s+plan\b)?/i

/** Returns true for EXPLAIN and EXPLAIN QUERY PLAN. */
export const isPlan = (sql: string): boolean => EXPLAIN.test(sql)

/** Returns the statement that an EXPLAIN is of, and every other as it is. */
export const withoutExplain = (sql: string): string => sql.replace(EXPLAIN, '')

/** What no parameter is in, then the parameters. */
const TOKENS =
  /'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|[\p{L}_][\p{L}\d_$]*|\?\d*|[:@$][\p{L}\d_$]+/gu

/**
 * Returns the name of each parameter with its sigil, `?7` among them; null for `?`. The binding does not tell them, and ends
 * the process for some that have no value.
 */
export function parametersOf(sql: string): (string | null)[] {
  const names: (string | null)[] = []
  for (const [token] of sql.matchAll(TOKENS)) {
    if (token === '?') names.push(null)
    else if (token.startsWith('?')) {
      const index = Number(token.slice(1)) - 1
      while (names.length < index) names.push(null)
      names[index] = token
    } else if (/^[:@$]/.test(token) && !names.includes(token)) names.push(token)
  }
  return names
}

/** Comments, then what may hold a semicolon, then semicolons, then anything else but spaces. */
const PARTS =
  /(?<comment>--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)|'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|(?<end>;)|[^\s;'"`[/-]+|[^\s;]/g
const CREATES_TRIGGER = /^create (temp |temporary )?trigger\b/

/** Throws SqldError for a text without a statement, and for one with more. */
export function assertOneStatement(sql: string): void {
  const opening = openingOf(sql)
  if (opening === '') throw new SqldError('SQL_NO_STATEMENT', 'SQL string does not contain any statement')
  // The statements in a trigger end with semicolons too.
  if (!sql.includes(';') || CREATES_TRIGGER.test(opening)) return
  let state: 'before' | 'in' | 'after' = 'before'
  for (const { groups } of sql.matchAll(PARTS)) {
    if (groups?.comment !== undefined) continue
    if (groups?.end !== undefined) state = state === 'before' ? 'before' : 'after'
    else if (state === 'after')
      throw new SqldError('SQL_MANY_STATEMENTS', 'SQL string contains more than one statement')
    else state = 'in'
  }
}

/** Returns whether a text is a pragma. SQLite carries some out when it prepares them. */
export const isPragma = (sql: string): boolean => openingOf(sql).startsWith('pragma')

/** Returns the first words of the statement, at most three, in lower case; empty when there is none. */
function openingOf(sql: string): string {
  const words: string[] = []
  for (const { 0: part, groups } of sql.matchAll(PARTS)) {
    if (groups?.comment === undefined && groups?.end === undefined) words.push(part.toLowerCase())
    if (words.length === 3) break
  }
  return words.join(' ')
}
