/**
 * Counts tokens without any model's vocabulary. An estimate after the habits of byte-pair encodings: a short word is one
 * token together with the space before it, a long one several, a Chinese character one of its own.
 */

/** Characters of one token, by kind. */
const LATIN = 6
const OTHER_LETTERS = 3
const DIGITS = 3
const MARKS = 2
const SPACES = 8

/** Returns the estimated number of tokens, in time linear in the text. */
export function countTokens(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at = tokenEnd(text, at)) tokens += 1
  return tokens
}

/** Returns where the token that starts at `at` ends. It never divides a surrogate pair. */
export function tokenEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === SPACE && at + 1 < text.length && !isSpace(text.charCodeAt(at + 1))) return wordEnd(text, at + 1)
  return wordEnd(text, at)
}

const SPACE = 32

function wordEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (isSpace(code)) return runEnd(text, at, { most: SPACES, belongs: isSpace })
  if (isDigit(code)) return runEnd(text, at, { most: DIGITS, belongs: isDigit })
  if (isLatin(code)) return runEnd(text, at, { most: LATIN, belongs: isLatin })
  if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(at + 1))) return at + 2
  if (code >= 0x2e80) return at + 1
  if (code >= 0xaa) return runEnd(text, at, { most: OTHER_LETTERS, belongs: isOtherLetter })
  return runEnd(text, at, { most: MARKS, belongs: (next) => next === code })
}

interface Run {
  most: number
  belongs(code: number): boolean
}

function runEnd(text: string, at: number, { most, belongs }: Run): number {
  let end = at + 1
  while (end < text.length && end - at < most && belongs(text.charCodeAt(end))) end += 1
  return end
}

const isSpace = (code: number) => code === SPACE || (code >= 9 && code <= 13)
const isDigit = (code: number) => code >= 48 && code <= 57
const isLatin = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
const isOtherLetter = (code: number) => code >= 0xaa && code < 0x2e80
const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff
