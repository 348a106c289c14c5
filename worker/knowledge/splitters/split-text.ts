/** Cuts a text at the best places that make pieces small enough. Linear in its length. */
import { ConfigError } from '../../inputs/component-config.ts'
import type { PieceSize } from './params.ts'

/** The most pieces of a document. */
const MAX_PIECES = 200_000
const TOO_MANY = `This makes more than ${MAX_PIECES} chunks of one document. Choose a larger Chunk size.`

/** A part of the text, from `start` to before `end`. */
export interface Range {
  start: number
  end: number
}

/** Yields the places inside a range where the text may be cut, in order. */
export type Divider = (text: string, range: Range) => Iterable<number>

/** Returns a divider that cuts before each occurrence of a mark. */
export const dividerBefore = (mark: string): Divider =>
  function* cutsBefore(text, { start, end }) {
    // The part alone is searched: what follows it would be searched again for every part.
    const part = text.slice(start, end)
    for (let at = part.indexOf(mark, 1); at !== -1; at = part.indexOf(mark, at + mark.length)) yield start + at
  }

/**
 * Returns ranges of at most `size` characters, each beginning with up to `overlap` characters of the one before. The
 * dividers are tried in their order, the next where a part is still too long, and at last the text is cut anywhere but
 * inside a surrogate pair. Ranges hold no whitespace at their ends and are never empty.
 * @param borders places in order that no range crosses
 */
export function cutText(
  text: string,
  dividers: Divider[],
  { size, overlap, borders = [] }: PieceSize & { borders?: number[] },
): Range[] {
  const joined = new JoinedParts(text, { size, overlap })
  let start = 0
  for (const end of [...borders, text.length]) {
    divide(text, { start, end }, { dividers, size, overlap, joined })
    joined.finish()
    start = end
  }
  return joined.ranges
}

/**
 * Collects ranges none of which holds all of another, as happens where they differ by whitespace.
 * @throws ConfigError when they become too many
 */
export function collectRanges() {
  const list: Range[] = []
  const add = (range: Range) => {
    const last = list.at(-1)
    if (range.end === range.start || (last && range.end <= last.end)) return
    if (last && range.start <= last.start) list.pop()
    if (list.length === MAX_PIECES) throw new ConfigError(TOO_MANY)
    list.push(range)
  }
  return { list, add }
}

interface Division extends PieceSize {
  dividers: Divider[]
  joined: JoinedParts
}

function divide(text: string, range: Range, division: Division): void {
  const { dividers, size, joined } = division
  const [divider, ...rest] = dividers
  if (range.end - range.start <= size) joined.add(range)
  else if (divider) divideWith(divider, text, { range, division: { ...division, dividers: rest } })
  else cutAnywhere(text, range, division)
}

interface DividedRange {
  range: Range
  /** With the dividers that are left. */
  division: Division
}

function divideWith(divider: Divider, text: string, { range, division }: DividedRange): void {
  const { size, joined } = division
  let start = range.start
  let isCut = false
  const add = (end: number) => {
    const part = { start, end }
    start = end
    // What is cut finer stands alone: joined with its neighbours, it would blur a better border.
    const isAlone = isCut && end - part.start > size
    if (isAlone) joined.finish()
    divide(text, part, division)
    if (isAlone) joined.finish()
  }
  for (const cut of divider(text, range)) {
    isCut = true
    add(cut)
  }
  add(range.end)
}

/** Characters of a part that is cut anywhere: small enough to be an overlap, large enough to be few. */
const LEAST_PART = 8

function cutAnywhere(text: string, { start, end }: Range, { size, overlap, joined }: Division): void {
  const wanted = overlap === 0 ? size : Math.floor(Math.min(overlap, size - overlap) / 2)
  const length = Math.min(size, Math.max(wanted, LEAST_PART))
  for (let at = start; at < end; ) {
    const next = Math.min(end, wholeCharacter(text, at, at + length))
    joined.add({ start: at, end: next })
    at = next
  }
}

/** Returns `cut`, moved off the middle of a surrogate pair. */
function wholeCharacter(text: string, start: number, cut: number): number {
  const code = text.charCodeAt(cut)
  const isInside = code >= 0xdc00 && code <= 0xdfff && isHighSurrogate(text.charCodeAt(cut - 1))
  if (!isInside) return cut
  return cut - 1 > start ? cut - 1 : cut + 1
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff

/** Joins parts that follow one another to ranges as long as they may be. */
class JoinedParts {
  readonly #collected = collectRanges()
  readonly #text: string
  readonly #size: PieceSize
  /** Parts of the range that is being joined; the first of them may be the overlap. */
  #parts: Range[] = []
  /** The range holds more than the end of the one before. */
  #isNew = false

  constructor(text: string, size: PieceSize) {
    this.#text = text
    this.#size = size
  }

  get ranges(): Range[] {
    return this.#collected.list
  }

  add(part: Range): void {
    const [first] = this.#parts
    if (first && part.end - first.start > this.#size.size) {
      this.#close()
      this.#keepOverlap(part)
    }
    this.#parts.push(part)
    this.#isNew = true
  }

  /** Ends the range, so that the next one begins without overlap. */
  finish(): void {
    this.#close()
    this.#parts = []
  }

  #close(): void {
    const [first] = this.#parts
    const last = this.#parts.at(-1)
    if (first && last && this.#isNew) this.#collected.add(trimRange(this.#text, { start: first.start, end: last.end }))
    this.#isNew = false
  }

  #keepOverlap(next: Range): void {
    const { size, overlap } = this.#size
    const end = this.#parts.at(-1)?.end ?? 0
    let from = this.#parts.length
    for (; from > 0; from--) {
      const { start } = this.#parts[from - 1] as Range
      if (end - start > overlap || next.end - start > size) break
    }
    this.#parts = this.#parts.slice(from)
  }
}

/** Returns the range without whitespace at its ends. */
export function trimRange(text: string, { start, end }: Range): Range {
  const part = text.slice(start, end)
  const from = start + part.length - part.trimStart().length
  return { start: from, end: Math.max(from, start + part.trimEnd().length) }
}
