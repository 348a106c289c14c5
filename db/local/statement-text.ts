/** Reads the text of a statement, where the binding tells nothing of it. */
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
const CREATES_TRIGGER = /^(explain (query plan )?)?create (temp |temporary )?trigger\b/

/** Returns the statements of a text, each from its first word to its semicolon. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  let words: string[] = []
  for (const { 0: part, groups, index } of sql.matchAll(PARTS)) {
    if (groups?.comment !== undefined) continue
    if (words.length === 0) start = index
    const isEnd = groups?.end !== undefined
    if (!isEnd || isInTrigger(words)) words.push(part.toLowerCase())
    else if (words.length > 0) {
      statements.push(sql.slice(start, index + 1))
      words = []
    }
  }
  return words.length > 0 ? [...statements, sql.slice(start)] : statements
}

/** The statements in a trigger end with semicolons too: it goes on until the word `end` stands after one. */
const isInTrigger = (words: string[]): boolean =>
  CREATES_TRIGGER.test(words.slice(0, 6).join(' ')) && words.slice(-2).join(' ') !== '; end'

/** Returns whether a text is a pragma. SQLite carries some out when it prepares them. */
export const isPragma = (sql: string): boolean => openingOf(sql).startsWith('pragma')

/** Returns the first words of a statement, at most three, in lower case; empty when there is none. */
export function openingOf(sql: string): string {
  const words: string[] = []
  for (const { 0: part, groups } of sql.matchAll(PARTS)) {
    if (groups?.comment === undefined && groups?.end === undefined) words.push(part.toLowerCase())
    if (words.length === 3) break
  }
  return words.join(' ')
}

/** What no word of SQL is in, then the words and parentheses. */
const WORDS =
  /'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|(?<word>[\p{L}_][\p{L}\d_$]*|[()])/gu
const VERBS = ['insert', 'replace', 'update', 'delete', 'select', 'values']

/** Returns the first word of a statement, or behind WITH the one after its tables; in lower case, empty when there is none. */
export function verbOf(sql: string): string {
  let depth = 0
  let isWith = false
  for (const { groups } of sql.matchAll(WORDS)) {
    const word = groups?.word?.toLowerCase()
    if (word === '(') depth++
    else if (word === ')') depth--
    else if (word && depth === 0) {
      if (!isWith && word !== 'with') return word
      if (isWith && VERBS.includes(word)) return word
      isWith = true
    }
  }
  return ''
}
