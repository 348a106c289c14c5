/** Divides JSON text into records and measures it before it is parsed, so that parsing cannot fill the memory. */
import { UnreadableError } from '../types.ts'

/** Values of one record: a text of nothing but `[],[],...` takes many times its length once it is parsed. */
const MAX_VALUES = 300_000
const MAX_DEPTH = 200

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENERS = new Set(['[', '{'].map((mark) => mark.charCodeAt(0)))
const CLOSERS = new Set([']', '}'].map((mark) => mark.charCodeAt(0)))
const COMMA = 0x2c

/** Yields the text of each item of a list, or the whole text when it is no list. Linear in its length. */
export function* jsonItems(text: string): Generator<string> {
  const start = firstFilled(text, 0)
  if (text[start] !== '[') {
    yield text
    return
  }
  let itemStart = start + 1
  for (const { at, isEnd } of itemBorders(text, start)) {
    if (firstFilled(text, itemStart) < at || !isEnd) yield text.slice(itemStart, at)
    itemStart = at + 1
    if (isEnd && firstFilled(text, itemStart) < text.length) throw new SyntaxError('Unexpected text after the list')
  }
}

/** Yields the commas and the end of the list that starts at `start`. @throws SyntaxError when it never ends */
function* itemBorders(text: string, start: number): Generator<{ at: number; isEnd: boolean }> {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = closingQuote(text, at)
    else if (OPENERS.has(code)) depth += 1
    else if (CLOSERS.has(code)) depth -= 1
    else if (code !== COMMA || depth > 1) continue
    if (depth === 0) {
      yield { at, isEnd: true }
      return
    }
    if (code === COMMA && depth === 1) yield { at, isEnd: false }
  }
  throw new SyntaxError('The list does not end')
}

/** Parses one record. @throws SyntaxError, UnreadableError */
export function parseRecord(text: string): unknown {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = closingQuote(text, at)
    else if (OPENERS.has(code)) depth += 1
    else if (CLOSERS.has(code)) depth -= 1
    else if (code !== COMMA) continue
    values += 1
    if (depth > MAX_DEPTH) throw new UnreadableError('This JSON is nested too deeply. Flatten it first.')
    if (values > MAX_VALUES)
      throw new UnreadableError('A record of this JSON has too many values. Save it as a list of smaller records.')
  }
  return JSON.parse(text)
}

function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  return text.length
}

function firstFilled(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1
  return at
}
