/** JSON checks and formatting. */

export type CodeLanguage = 'javascript' | 'json' | 'plain'

interface CodeProblem {
  /** From 1. */
  line: number
  /** From 1. */
  column: number
  message: string
}

/** Returns the first JSON error. Empty text, text with references and other languages have none. */
export function checkCode(text: string, language: CodeLanguage): CodeProblem | null {
  if (language !== 'json' || text.trim() === '' || text.includes('{{')) return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const message = error instanceof Error ? error.message : 'This is not valid JSON'
    return { ...findPosition(message, text), message: wording(message) }
  }
}

/** Returns indented JSON, or the text unchanged when it is invalid. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Reads the position from the engine's message; without one it is the end of the text. */
function findPosition(message: string, text: string): { line: number; column: number } {
  const offset = /position (\d+)/.exec(message)?.[1]
  const spoken = /line (\d+) column (\d+)/.exec(message)
  if (offset === undefined && spoken) return { line: Number(spoken[1]), column: Number(spoken[2]) }
  const found = /token '?(.)'?, .*is not valid/.exec(message)?.[1]
  const at = offset === undefined ? (found ? text.indexOf(found) : text.length) : Number(offset)
  const before = text.slice(0, Math.max(at, 0)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Returns the engine's message without position and quoted text. */
const wording = (message: string): string =>
  message
    .replace(/^JSON\.parse: /, '')
    .replace(/ (in JSON )?at (position|line) .*$/, '')
    .replace(/, (\.\.\.)?".*$/s, '')
