/** Host functions for guest modules. All values are text: JSON, or bytes as base64. */
export interface GuestHost {
  /** Resolves to '' after this many milliseconds. */
  sleep(milliseconds: number): Promise<string>
  /** Takes JSON of a `DigestRequest`; returns base64. */
  digest(request: string): string
  /** Returns this many random bytes as base64. */
  randomBytes(count: number): string
  /** Takes JSON of an `IntlRequest`; returns JSON. */
  intl(request: string): string
  /** Takes JSON of a `UrlRequest`; returns JSON of `UrlParts`. */
  parseUrl(request: string): string
  /** Takes `a=1&b=2`, with an optional leading `?`; returns JSON of pairs. */
  readQuery(query: string): string
  /** Takes JSON of pairs; returns `a=1&b=2`. */
  printQuery(pairs: string): string
}

export interface DigestRequest {
  algorithm: string
  /** Base64; makes it an HMAC. */
  key?: string
  /** Base64. */
  data: string
}

export interface IntlRequest {
  kind: string
  locales?: unknown
  options?: unknown
  method: string
  args: unknown[]
}

export interface UrlRequest {
  address: string
  base?: string
  /** A part to change. */
  part?: string
  value?: string
}

/** The parts of an address, by the names of `URL`'s properties. */
export type UrlParts = Readonly<Record<string, string>>

/** Loads another guest module by its name. */
// biome-ignore lint/suspicious/noExplicitAny: a module is whatever it exports
export type Load = (name: string) => any
