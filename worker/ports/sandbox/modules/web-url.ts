/** `URL` and `URLSearchParams`, by those of the host. */
import type { GuestHost, UrlParts, UrlRequest } from './host.ts'

declare const host: GuestHost

type Pair = [name: string, value: string]

const readPairs = (query: string): Pair[] => JSON.parse(host.readQuery(query))
const printPairs = (pairs: Pair[]): string => host.printQuery(JSON.stringify(pairs))

function pairsOf(init: unknown): Pair[] {
  if (init === undefined || init === null) return []
  if (typeof init !== 'object') return readPairs(String(init))
  const pairs = Symbol.iterator in init ? [...(init as Iterable<Pair>)] : Object.entries(init)
  return pairs.map(([name, value]) => [String(name), String(value)])
}

class URLSearchParams {
  #pairs: Pair[]
  #onChange: (query: string) => void
  constructor(init?: unknown, onChange: (query: string) => void = () => {}) {
    this.#pairs = pairsOf(init)
    this.#onChange = onChange
  }
  #set(pairs: Pair[]) {
    this.#pairs = pairs
    this.#onChange(this.toString())
  }
  get size() {
    return this.#pairs.length
  }
  get(name: string) {
    return this.#pairs.find(([each]) => each === String(name))?.[1] ?? null
  }
  getAll(name: string) {
    return this.#pairs.filter(([each]) => each === String(name)).map(([, value]) => value)
  }
  has(name: string) {
    return this.#pairs.some(([each]) => each === String(name))
  }
  append(name: string, value: unknown) {
    this.#set([...this.#pairs, [String(name), String(value)]])
  }
  delete(name: string) {
    this.#set(this.#pairs.filter(([each]) => each !== String(name)))
  }
  set(name: string, value: unknown) {
    const at = this.#pairs.findIndex(([each]) => each === String(name))
    if (at < 0) return this.append(name, value)
    const others = this.#pairs.filter(([each], index) => each !== String(name) || index === at)
    this.#set(others.map((pair, index) => (index === at ? [pair[0], String(value)] : pair)))
  }
  sort() {
    this.#set(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  }
  forEach(visit: (value: string, name: string, all: this) => void) {
    for (const [name, value] of this.#pairs) visit(value, name, this)
  }
  *keys() {
    for (const [name] of this.#pairs) yield name
  }
  *values() {
    for (const [, value] of this.#pairs) yield value
  }
  *entries() {
    for (const pair of this.#pairs) yield [...pair]
  }
  [Symbol.iterator]() {
    return this.entries()
  }
  toString() {
    return printPairs(this.#pairs)
  }
}

class URL {
  #parts: UrlParts
  #params: URLSearchParams | undefined
  constructor(address: unknown, base?: unknown) {
    this.#parts = URL.#ask({ address: String(address), ...(base === undefined ? {} : { base: String(base) }) })
  }
  static #ask = (request: UrlRequest): UrlParts => JSON.parse(host.parseUrl(JSON.stringify(request)))
  static canParse(address: unknown, base?: unknown): boolean {
    try {
      return new URL(address, base) !== undefined
    } catch {
      return false
    }
  }
  static {
    for (const part of ['protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']) {
      Object.defineProperty(URL.prototype, part, {
        enumerable: true,
        configurable: true,
        get(this: URL) {
          return this.#parts[part]
        },
        set(this: URL, value) {
          this.#change(part, value)
          if (part === 'search') this.#params = undefined
        },
      })
    }
  }
  #change(part: string, value: unknown) {
    this.#parts = URL.#ask({ address: this.#parts.href as string, part, value: String(value) })
  }
  get href(): string {
    return this.#parts.href as string
  }
  set href(address: string) {
    this.#parts = URL.#ask({ address: String(address) })
    this.#params = undefined
  }
  get origin(): string {
    return this.#parts.origin as string
  }
  get searchParams(): URLSearchParams {
    this.#params ??= new URLSearchParams(this.#parts.search, (query) => this.#change('search', query))
    return this.#params
  }
  toString(): string {
    return this.href
  }
  toJSON(): string {
    return this.href
  }
}

export default { URL, URLSearchParams }
