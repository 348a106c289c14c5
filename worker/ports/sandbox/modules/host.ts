/** What a guest module gets from outside the interpreter. Everything is text: JSON, or bytes as base64. */
export interface GuestHost {
  /** Resolves to '' after that many milliseconds. */
  sleep(milliseconds: number): Promise<string>
  /** JSON of a `DigestRequest`; answers base64. */
  digest(request: string): string
  /** So many random bytes as base64. */
  randomBytes(count: number): string
  /** JSON of an `IntlRequest`; answers JSON. */
  intl(request: string): string
  /** JSON of a `UrlRequest`; answers JSON of `UrlParts`. */
  parseUrl(request: string): string
  /** `a=1&b=2`, with or without a leading `?`; answers JSON of pairs. */
  readQuery(query: string): string
  /** JSON of pairs; answers `a=1&b=2`. */
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

/** By the names of `URL`'s properties. */
export type UrlParts = Readonly<Record<string, string>>

/** Loads another guest module by its name. */
// biome-ignore lint/suspicious/noExplicitAny: a module is whatever it exports
export type Load = (name: string) => any
