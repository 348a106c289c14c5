/** Measures JSON before it is parsed, so that a text which would cost too much is refused unread. */

/** Values in one text, containers and members alike, unless a caller allows more. */
export const MAX_VALUES = 100_000
/** Levels of nesting that input may have, so that recursive functions cannot exhaust the stack. */
export const MAX_DEPTH = 200

export interface JsonProblem {
  kind: 'values' | 'depth' | 'nul'
  /** Where it stands, as far as it helps: the field of the top level, or the whole path of a NUL character. */
  path: string[]
}

/**
 * Returns why a text is not to be parsed, in one pass and without building anything: too many values, nesting that is too
 * deep, or an escaped NUL character, before which libSQL ends a text. A repeated key counts each time. Says nothing about a
 * text that is no JSON: JSON.parse does.
 */
export function findJsonProblem(text: string, maxValues = MAX_VALUES): JsonProblem | undefined {
  const measured = measure(text, maxValues)
  if (measured.problem) {
    const path = isObjectText(text) ? pathAt(text, measured.at).slice(0, 1) : []
    return { kind: measured.problem, path }
  }
  const nul = findNulEscape(text)
  return nul === -1 ? undefined : { kind: 'nul', path: pathAt(text, nul) }
}

const isObjectText = (text: string) => /^\s*\{/.test(text)

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A container that is not empty holds one value more than it has commas. */
function measure(text: string, maxValues: number) {
  let values = 1
  let depth = 0
  let isAfterOpening = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) continue
    const isClosing = code === CLOSE_LIST || code === CLOSE_OBJECT
    if (code === COMMA || (isAfterOpening && !isClosing)) values += 1
    isAfterOpening = false
    if (values > maxValues) return { problem: 'values' as const, at }
    if (code === QUOTE) at = endOfString(text, at)
    else if (isClosing) depth -= 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      isAfterOpening = true
      if (depth > MAX_DEPTH) return { problem: 'depth' as const, at }
    }
  }
  return { problem: undefined, at: text.length }
}

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Returns where the string ends that begins at the quote `start`; the end of the text if it never does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, end)) return end
  }
  return text.length
}

/** Returns where the first escaped NUL character stands, or -1. Outside strings, JSON has no backslashes. */
function findNulEscape(text: string): number {
  const nul = '\\u0000'
  for (let at = text.indexOf(nul); at !== -1; at = text.indexOf(nul, at + 1)) {
    if (!isEscaped(text, at)) return at
  }
  return -1
}

/** True when an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

/** An object, by the key that is being read, or a list, by its index. */
type Level = { key?: string | undefined; isKeyNext: boolean } | { index: number }

/** Returns the keys and indexes that lead to what stands at an offset of the text. */
function pathAt(text: string, offset: number): string[] {
  const levels: Level[] = []
  for (let at = 0; at < text.length && at <= offset; at++) {
    const code = text.charCodeAt(at)
    const level = levels.at(-1)
    if (code === OPEN_OBJECT) levels.push({ isKeyNext: true })
    else if (code === OPEN_LIST) levels.push({ index: 0 })
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) levels.pop()
    else if (code === COMMA && level) passComma(level)
    else if (code === COLON && level && 'isKeyNext' in level) level.isKeyNext = false
    else if (code === QUOTE) {
      const end = endOfString(text, at)
      if (level && 'isKeyNext' in level && level.isKeyNext) level.key = parseLiteral(text.slice(at, end + 1))
      at = end
    }
  }
  return levels.flatMap((level) => ('index' in level ? String(level.index) : (level.key ?? [])))
}

function passComma(level: Level): void {
  if ('index' in level) level.index += 1
  else Object.assign(level, { key: undefined, isKeyNext: true })
}

function parseLiteral(literal: string): string {
  try {
    return JSON.parse(literal)
  } catch {
    return literal
  }
}
