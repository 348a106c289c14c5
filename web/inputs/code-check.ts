/** Where a text is not valid JSON, as a person counts lines; and JSON put in order. */

export type CodeLanguage = 'javascript' | 'json' | 'plain'

export interface CodeProblem {
  /** From 1. */
  line: number
  /** From 1. */
  column: number
  message: string
}

/** The first problem of a JSON text; empty texts, texts with references and other languages have none. */
export function checkCode(text: string, language: CodeLanguage): CodeProblem | null {
  if (language !== 'json' || text.trim() === '' || text.includes('{{')) return null
  try {
    JSON.parse(text)
    return null
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : 'This is not valid JSON'
    return { ...placeOf(message, text), message: wording(message) }
  }
}

/** The JSON text indented by two blanks; a text that is not valid stays as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Engines tell the offset, the line and column, or nothing, which means the end of the text. */
function placeOf(message: string, text: string): { line: number; column: number } {
  const offset = /position (\d+)/.exec(message)?.[1]
  const spoken = /line (\d+) column (\d+)/.exec(message)
  if (offset === undefined && spoken) return { line: Number(spoken[1]), column: Number(spoken[2]) }
  const found = /token '?(.)'?, .*is not valid/.exec(message)?.[1]
  const at = offset === undefined ? (found ? text.indexOf(found) : text.length) : Number(offset)
  const before = text.slice(0, Math.max(at, 0)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** The engine's sentence without the offset and the quoted text. */
const wording = (message: string): string =>
  message
    .replace(/^JSON\.parse: /, '')
    .replace(/ (in JSON )?at (position|line) .*$/, '')
    .replace(/, (\.\.\.)?".*$/s, '')
