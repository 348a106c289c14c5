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

/** Returns a text that has one character for each byte of the UTF-8: sqld counts bytes. */
export const toBytes = (text: string): string => Buffer.from(text).toString('latin1')

/** Throws JsonFault for a text that is no JSON, and for numbers and depths that sqld refuses. */
export function readSpans(bytes: string): Span {
  const reader = new Reader(bytes)
  const span = reader.readValue()
  if (reader.peek() !== '') throw reader.faultAhead('trailing characters')
  return span
}

/** Returns how sqld ends its sentence: lines and bytes are counted from 1, and the byte is the last one that was read. */
export function describePosition(bytes: string, index: number): string {
  const before = bytes.slice(0, index)
  const lineStart = before.lastIndexOf('\n') + 1
  return `at line ${before.split('\n').length} column ${index - lineStart}`
}

/** Returns the index of the next byte that is no space. */
export const skipSpaces = (bytes: string, index: number): number => index + matchAt(SPACES, bytes, index).length

const SPACES = /[ \n\t\r]*/y
/** Neither a quote nor a backslash nor a control character. */
const PLAIN_TEXT = /[ !#-[\]-\xff]*/y
/** Empty where there is none. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|/y
/** As far as the text can become a number. */
const NUMBER = /-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?)?/y
const KEYWORDS: Record<string, string> = { n: 'null', t: 'true', f: 'false' }
const MAX_DEPTH = 127

function matchAt(pattern: RegExp, bytes: string, index: number): string {
  pattern.lastIndex = index
  return pattern.exec(bytes)?.[0] ?? ''
}

class Reader {
  readonly #bytes: string
  #index = 0
  #depth = 0

  constructor(bytes: string) {
    this.#bytes = bytes
  }

  /** Skips spaces. Returns the next byte, empty at the end. */
  peek(): string {
    this.#match(SPACES)
    return this.#byte()
  }

  /** About the last one of the next bytes. @param kind what is cut short when the text ends before */
  faultAhead(message: string, kind = 'a value', count = 1): JsonFault {
    const index = this.#index + count
    const { length } = this.#bytes
    return index > length ? new JsonFault(`EOF while parsing ${kind}`, length) : new JsonFault(message, index)
  }

  readValue(): Span {
    const byte = this.peek()
    const start = this.#index
    const keyword = KEYWORDS[byte]
    if (keyword) this.#readKeyword(keyword)
    else if (byte === '"') this.#readString()
    else if (/[-\d]/.test(byte)) this.#readNumber()
    else if (byte === '[' || byte === '{') return { start, ...this.#readNested(byte), end: this.#index }
    else throw this.faultAhead('expected value')
    return { start, end: this.#index }
  }

  /** Returns the next byte without skipping spaces; empty at the end. */
  #byte(): string {
    return this.#bytes.charAt(this.#index)
  }

  #match(pattern: RegExp): string {
    const matched = matchAt(pattern, this.#bytes, this.#index)
    this.#index += matched.length
    return matched
  }

  #readKeyword(keyword: string): void {
    for (const letter of keyword) {
      if (this.#byte() !== letter) throw this.faultAhead('expected ident')
      this.#index++
    }
  }

  #readNumber(): void {
    const number = this.#match(NUMBER)
    if (!/\d$/.test(number) || /\d/.test(this.#byte())) throw this.faultAhead('invalid number')
    if (!Number.isFinite(Number(number))) throw new JsonFault('number out of range', this.#index)
  }

  /** Returns the text between the quotes, as it stands there. */
  #readString(): string {
    const start = ++this.#index
    do this.#match(PLAIN_TEXT)
    while (this.#match(ESCAPE))
    const end = this.#index
    if (this.#byte() === '\\') {
      const escapeBytes = this.#bytes.charAt(end + 1) === 'u' ? 6 : 2
      throw this.faultAhead('invalid escape', 'a string', escapeBytes)
    }
    if (this.#byte() !== '"') {
      throw this.faultAhead('control character (\\u0000-\\u001F) found while parsing a string', 'a string')
    }
    this.#index++
    return this.#bytes.slice(start, end)
  }

  #readNested(opening: '[' | '{'): Pick<Span, 'items' | 'members'> {
    if (this.#depth === MAX_DEPTH) throw this.faultAhead('recursion limit exceeded')
    this.#depth++
    this.#index++
    const nested = opening === '[' ? { items: this.#readItems() } : { members: this.#readMembers() }
    this.#index++
    this.#depth--
    return nested
  }

  #readItems(): Span[] {
    const items: Span[] = []
    while (this.#hasMore(']', items.length)) items.push(this.readValue())
    return items
  }

  #readMembers(): Map<string, Span> {
    const members = new Map<string, Span>()
    for (let count = 0; this.#hasMore('}', count); count++) {
      if (this.#byte() !== '"') throw this.faultAhead('key must be a string')
      const name = this.#readString()
      if (this.peek() !== ':') throw this.faultAhead('expected `:`', 'an object')
      this.#index++
      members.set(name, this.readValue())
    }
    return members
  }

  /** Reads the comma before the next value, and stops at that value or at the end. */
  #hasMore(end: ']' | '}', count: number): boolean {
    const byte = this.peek()
    if (byte === end) return false
    if (byte !== '' && count === 0) return true
    if (byte !== ',') throw this.faultAhead(`expected \`,\` or \`${end}\``, end === ']' ? 'a list' : 'an object')
    this.#index++
    if (this.peek() === end) throw this.faultAhead('trailing comma')
    return true
  }
}
