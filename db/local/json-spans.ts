/** Finds where the values of a JSON text are, and where a text is none, in the words of sqld. */

/** Bytes of the text, from `start` to before `end`. */
export interface Span {
  start: number
  end: number
  /** Only a list has them. */
  items?: Span[]
  /** Only an object has them. */
  members?: Map<string, Span>
}

/** A text that is no JSON. */
export class JsonFault extends Error {
  /** Bytes before the place that the message is about. */
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}

/** Throws JsonFault for a text that is no JSON, and for numbers and depths that sqld refuses. */
export function readSpans(text: string): Span {
  const reader = new Reader(toBytes(text))
  const span = reader.readValue()
  if (reader.peek() !== '') throw reader.faultAhead('trailing characters')
  return span
}

/** Returns how sqld ends its sentence: lines and bytes are counted from 1, and the byte is the last one that was read. */
export function describePosition(text: string, index: number): string {
  const before = toBytes(text).slice(0, index)
  const lineStart = before.lastIndexOf('\n') + 1
  return `at line ${before.split('\n').length} column ${index - lineStart}`
}

/** Returns the index of the next byte that is no space. */
export const skipSpaces = (text: string, index: number): number => {
  const reader = new Reader(toBytes(text), index)
  reader.peek()
  return reader.index
}

/** One character for each byte of the UTF-8. */
const toBytes = (text: string): string => Buffer.from(text).toString('latin1')

const SPACES = new Set([' ', '\n', '\t', '\r'])
const MAX_DEPTH = 127
const KEYWORDS: Record<string, string> = { n: 'null', t: 'true', f: 'false' }

class Reader {
  readonly #bytes: string
  index: number
  #depth = 0

  constructor(bytes: string, index = 0) {
    this.#bytes = bytes
    this.index = index
  }

  /** Skips spaces. Returns the next byte, empty at the end. */
  peek(): string {
    while (SPACES.has(this.#byte())) this.index++
    return this.#byte()
  }

  /** About the next byte. */
  faultAhead(message: string): JsonFault {
    return new JsonFault(message, Math.min(this.index + 1, this.#bytes.length))
  }

  readValue(): Span {
    const byte = this.peek()
    const start = this.index
    if (byte === '') throw this.faultAhead('EOF while parsing a value')
    const keyword = KEYWORDS[byte]
    if (keyword) this.#readKeyword(keyword)
    else if (byte === '"') this.#readString()
    else if (byte === '-' || isDigit(byte)) this.#readNumber()
    else if (byte === '[' || byte === '{') return { start, ...this.#readNested(byte), end: this.index }
    else throw this.faultAhead('expected value')
    return { start, end: this.index }
  }

  /** Returns the byte at the index without skipping spaces; empty at the end. */
  #byte(): string {
    return this.#bytes.charAt(this.index)
  }

  #next(): string {
    const byte = this.#byte()
    if (byte !== '') this.index++
    return byte
  }

  /** About the last byte that was read. */
  #faultBehind(message: string): JsonFault {
    return new JsonFault(message, this.index)
  }

  #readKeyword(keyword: string): void {
    for (const expected of keyword) {
      const byte = this.#next()
      if (byte === '') throw this.#faultBehind('EOF while parsing a value')
      if (byte !== expected) throw this.#faultBehind('expected ident')
    }
  }

  #readNumber(): void {
    const start = this.index
    if (this.#byte() === '-') this.index++
    const first = this.#readDigit()
    if (first === '0' && isDigit(this.#byte())) throw this.faultAhead('invalid number')
    this.#skipDigits()
    if (this.#byte() === '.') {
      this.index++
      if (this.#byte() === '') throw this.faultAhead('EOF while parsing a value')
      if (!isDigit(this.#byte())) throw this.faultAhead('invalid number')
      this.#skipDigits()
    }
    if (/[eE]/.test(this.#byte())) {
      this.index++
      if (/[+-]/.test(this.#byte())) this.index++
      this.#readDigit()
      this.#skipDigits()
    }
    const value = Number(this.#bytes.slice(start, this.index))
    if (!Number.isFinite(value)) throw this.#faultBehind('number out of range')
  }

  #readDigit(): string {
    const byte = this.#next()
    if (byte === '') throw this.#faultBehind('EOF while parsing a value')
    if (!isDigit(byte)) throw this.#faultBehind('invalid number')
    return byte
  }

  #skipDigits(): void {
    while (isDigit(this.#byte())) this.index++
  }

  /** Returns the text between the quotes, as it stands there. */
  #readString(): string {
    const start = ++this.index
    for (;;) {
      const byte = this.#nextInString()
      if (byte === '"') return this.#bytes.slice(start, this.index - 1)
      if (byte < ' ') throw this.#faultBehind('control character (\\u0000-\\u001F) found while parsing a string')
      if (byte === '\\') this.#readEscape()
    }
  }

  #readEscape(): void {
    const byte = this.#nextInString()
    if (!'"\\/bfnrtu'.includes(byte)) throw this.#faultBehind('invalid escape')
    if (byte !== 'u') return
    const digits = Array.from({ length: 4 }, () => this.#nextInString()).join('')
    if (!/^[\da-f]{4}$/i.test(digits)) throw this.#faultBehind('invalid escape')
  }

  #nextInString(): string {
    const byte = this.#next()
    if (byte === '') throw this.#faultBehind('EOF while parsing a string')
    return byte
  }

  #readNested(opening: '[' | '{'): Pick<Span, 'items' | 'members'> {
    if (this.#depth === MAX_DEPTH) throw this.faultAhead('recursion limit exceeded')
    this.#depth++
    this.index++
    const nested = opening === '[' ? { items: this.#readItems() } : { members: this.#readMembers() }
    this.index++
    this.#depth--
    return nested
  }

  #readItems(): Span[] {
    const items: Span[] = []
    while (this.#hasMore(']', 'list', items.length)) items.push(this.readValue())
    return items
  }

  #readMembers(): Map<string, Span> {
    const members = new Map<string, Span>()
    for (let count = 0; this.#hasMore('}', 'object', count); count++) {
      if (this.#byte() !== '"') throw this.faultAhead('key must be a string')
      const name = this.#readString()
      const colon = this.peek()
      if (colon !== ':') throw this.faultAhead(colon === '' ? 'EOF while parsing an object' : 'expected `:`')
      this.index++
      members.set(name, this.readValue())
    }
    return members
  }

  /** Reads the comma before the next value, and stops at that value or at the end. */
  #hasMore(end: string, kind: 'list' | 'object', count: number): boolean {
    const byte = this.peek()
    if (byte === '') throw this.faultAhead(`EOF while parsing ${kind === 'list' ? 'a list' : 'an object'}`)
    if (byte === end) return false
    if (count === 0) return true
    if (byte !== ',') throw this.faultAhead(`expected \`,\` or \`${end}\``)
    this.index++
    const next = this.peek()
    if (next === '') throw this.faultAhead('EOF while parsing a value')
    if (next === end) throw this.faultAhead('trailing comma')
    return true
  }
}

const isDigit = (byte: string): boolean => byte >= '0' && byte <= '9'
