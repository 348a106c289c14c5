/** Redacts headers and parameters whose names indicate secrets. */

export const REDACTED = '[redacted]'

const SECRET_WORDS = new Set([
  'apikey',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'credential',
  'credentials',
  'hmac',
  'jwt',
  'passwd',
  'password',
  'pwd',
  'secret',
  'session',
  'sig',
  'signature',
  'token',
])
const SECRET_KEYS = /(?:^|-)(?:api|access|private|secret|client|app)-key(?:-|$)/

/** True for names of headers and query parameters that are likely secret: `X-Hub-Signature-256`, `accessToken`. */
export function namesSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_KEYS.test(words.join('-'))
}

/** Replaces the values of secret names, and of the lower-case names in `always`. Keeps all names. */
export function redact<Value>(
  values: Record<string, Value>,
  always: readonly string[] = [],
): Record<string, Value | typeof REDACTED> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isSecret = always.includes(name.toLowerCase()) || namesSecret(name)
      return [name, isSecret ? REDACTED : value]
    }),
  )
}
