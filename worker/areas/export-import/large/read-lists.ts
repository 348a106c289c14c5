/**
 * Reads the lists of a bundle row by row, so that a file of any size needs the memory of its longest row. It finds where
 * each row ends, which costs linear time, and JSON.parse reads it. `@streamparser/json` reads faster, but skips at half
 * the speed and has no limit of depth: three million brackets take 800 MB. An import skips most of what it passes.
 */
import { findJsonProblem } from '#contract/data/json-text.ts'
import { HeddleError } from '#contract/errors.ts'
import { INVALID_IMPORTED_FILE } from '#contract/flow/document/parse.ts'

/** Characters of one row. */
const MAX_ROW = 16 * 1024 * 1024

/** Names in a file, of lists or not, that are read at once: they end no piece of it. */
const MAX_NAMES = 10_000
/** Characters of one, which is kept with each piece of the file. */
const MAX_NAME = 1000

/** Position at which a reader goes on: before a row or the end of its list. */
export interface FilePosition {
  /** Bytes of the file before it. */
  offset: number
  /** The name of the list. */
  key: string
  /** Rows of the list before it. */
  rows: number
}

interface ListedRow {
  /** The name of the list. */
  key: string
  row: unknown
  /** Characters of its text. */
  length: number
  /** Where the row is. */
  at: FilePosition
  /** Where the next one is. */
  next: FilePosition
}

/**
 * Yields the rows of the wanted lists, in the order of the file; others are skipped unread.
 * @param pieces of the file from `from` on
 * Throws `bad_request` for a text that is no such file, and `too_large` for a row of more than 16 MB, or for too many or too long names.
 */
export async function* readLists(
  pieces: AsyncIterable<Uint8Array>,
  isWanted: (key: string) => boolean,
  from?: FilePosition,
): AsyncGenerator<ListedRow> {
  const text = openText(pieces, from?.offset)
  if (from) yield* readRows(text, { from, isWanted: isWanted(from.key) })
  else await text.take('{')
  let names = 0
  for (let char = from ? await text.next() : await text.peek(); char !== '}'; char = await text.next()) {
    names += 1
    if (names > MAX_NAMES)
      throw new HeddleError('too_large', 'This file has more than 10,000 names of lists and values')
    const key = parsed(await text.value())
    if (typeof key !== 'string') throw invalid()
    if (key.length > MAX_NAME) throw longName(key)
    await text.take(':')
    if ((await text.peek()) !== '[') await text.value()
    else {
      await text.take('[')
      yield* readRows(text, { from: { offset: 0, key, rows: 0 }, isWanted: isWanted(key) })
    }
  }
  await text.take('}')
  if ((await text.peek()) !== undefined) throw invalid()
}

async function* readRows(
  text: Text,
  { from: { key, rows }, isWanted }: { from: FilePosition; isWanted: boolean },
): AsyncGenerator<ListedRow> {
  let count = rows
  for (let char = await text.peek(); char !== ']'; ) {
    const at = { offset: text.offset(), key, rows: count }
    const value = await text.value()
    const row = isWanted ? parsedRow(value, `${key}.${count}`) : undefined
    char = await text.next()
    count += 1
    if (isWanted) yield { key, row, length: value.length, at, next: { offset: text.offset(), key, rows: count } }
  }
  await text.take(']')
}

/** A row's size is limited, and its reader is a member's import in the background: the number of values is free. */
function parsedRow(text: string, place: string): unknown {
  const problem = findJsonProblem(text, Number.POSITIVE_INFINITY)
  if (!problem) return parsed(text)
  if (problem.kind !== 'nul')
    throw new HeddleError('bad_request', `${place}: This is nested too deeply`, { field: place })
  const field = [place, ...problem.path].join('.')
  throw new HeddleError('bad_request', `${field}: This contains a NUL character`, { field })
}

function longName(name: string): HeddleError {
  const shown = `${name.slice(0, 40).toWellFormed()}…`
  return new HeddleError('too_large', `The name “${shown}” in this file has more than 1,000 characters`)
}

const invalid = () => new HeddleError('bad_request', INVALID_IMPORTED_FILE)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid()
  }
}

type Text = ReturnType<typeof openText>

/** The text of the file from where its reader stands. */
function openText(pieces: AsyncIterable<Uint8Array>, from = 0) {
  // A mark at the beginning of the file is no part of its text; anywhere else it is.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const source = pieces[Symbol.asyncIterator]()
  let text = ''
  let at = 0
  let isOver = false
  /** Bytes before `text`. */
  let passed = from

  function drop(): void {
    if (at === 0) return
    passed += Buffer.byteLength(text.slice(0, at))
    text = text.slice(at)
    at = 0
  }

  /** Appends a piece and drops what was read. Returns false at the end. */
  async function more(): Promise<boolean> {
    if (isOver) return false
    const { value, done } = await source.next()
    isOver = done === true
    drop()
    const isFirst = passed === 0 && text === ''
    try {
      text += done ? decoder.decode() : decoder.decode(value, { stream: true })
    } catch {
      throw invalid()
    }
    if (isFirst && text.startsWith(BYTE_ORDER_MARK)) at = 1
    return true
  }

  async function peek(): Promise<string | undefined> {
    for (;;) {
      while (at < text.length && isSpace(text.charCodeAt(at))) at += 1
      if (at < text.length) return text[at]
      if (!(await more())) return undefined
    }
  }

  async function take(char: string): Promise<void> {
    if ((await peek()) !== char) throw invalid()
    at += 1
  }

  return {
    peek,
    take,
    /** Bytes of the file before where its reader stands. */
    offset(): number {
      drop()
      return passed
    },
    /** Goes to what follows a value: past a comma to the next one, or to the bracket that ends the list. */
    async next(): Promise<string | undefined> {
      const char = await peek()
      if (char === '}' || char === ']') return char
      await take(',')
      const following = await peek()
      if (following === '}' || following === ']') throw invalid()
      return following
    },
    /** Returns the text of a value and goes past it. */
    async value(): Promise<string> {
      if ((await peek()) === undefined) throw invalid()
      const scan: Scan = { at: 0, depth: 0, isInText: false }
      for (;;) {
        drop()
        const end = findEnd(text, scan)
        if (end !== undefined) {
          at = end
          return text.slice(0, end)
        }
        if (text.length > MAX_ROW) throw new HeddleError('too_large', 'A row of this file is larger than 16 MB')
        if (!(await more())) throw invalid()
      }
    },
  }
}

const BYTE_ORDER_MARK = '\uFEFF'

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9

interface Scan {
  at: number
  depth: number
  isInText: boolean
}

/** Returns where the value ends; undefined when it goes on after `text`, whose continuation is then scanned from `at`. */
function findEnd(text: string, scan: Scan): number | undefined {
  for (;;) {
    const pattern = scan.isInText ? /["\\]/g : /["[\]{},]/g
    pattern.lastIndex = scan.at
    const found = pattern.exec(text)
    if (!found) {
      scan.at = Math.max(scan.at, text.length)
      return undefined
    }
    const end = moveOn(scan, found)
    if (end !== undefined) return end
  }
}

function moveOn(scan: Scan, { index, 0: char }: RegExpExecArray): number | undefined {
  scan.at = index + 1
  if (scan.isInText) {
    if (char === '\\') scan.at = index + 2
    else scan.isInText = false
    return char === '"' && scan.depth === 0 ? scan.at : undefined
  }
  if (char === '"') scan.isInText = true
  else if (char === '{' || char === '[') scan.depth += 1
  // What follows a number or a word.
  else if (scan.depth === 0) return index
  else if (char !== ',') {
    scan.depth -= 1
    if (scan.depth === 0) return scan.at
  }
  return undefined
}
