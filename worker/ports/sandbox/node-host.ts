/** Implements the host functions of `modules/host.ts`: timers, digests, random bytes, `Intl`. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { HostFunctions } from './guest.ts'
import type { SandboxLimits } from './limits.ts'
import type { DigestRequest, IntlRequest, UrlParts, UrlRequest } from './modules/host.ts'
import { globals, modules } from './modules/index.ts'
import type { Pending } from './pending.ts'

/** Fuel, equal to loop iterations of about the same duration. */
const CALL_COST = 20_000
const FORMATTER_COST = 200_000
const MAX_RANDOM_BYTES = 65_536
const MAX_INTL_CHARS = 10_000

export interface NodeHostConfig {
  pending: Pending
  limits: SandboxLimits
  signal: AbortSignal
  /** Charges the run's fuel for work of the host. */
  charge(turns: number): void
}

/** Returns the host functions by name. */
export function createNodeHost({ pending, limits, signal, charge }: NodeHostConfig): HostFunctions {
  const format = createFormatter(charge)
  const charged = (work: (text: string) => string) => (text: string) => {
    charge(CALL_COST + text.length)
    return work(text)
  }
  return {
    sleep(milliseconds) {
      if (pending.count() >= limits.timers)
        throw new Error(`A custom function may wait for ${limits.timers} timers at once`)
      return pending.promiseOf(waitFor(Number(milliseconds), signal))
    },
    digest: charged((request) => digest(JSON.parse(request))),
    randomBytes: charged((count) => randomBase64(Number(count))),
    intl: charged(format),
    parseUrl: charged((request) => JSON.stringify(parseUrl(JSON.parse(request)))),
    readQuery: charged((query) => JSON.stringify([...new URLSearchParams(query)])),
    printQuery: charged((pairs) => new URLSearchParams(JSON.parse(pairs)).toString()),
    source: charged(sourceOf),
  }
}

/** Returns the source of a guest module, or '' if it does not exist. */
function sourceOf(name: string): string {
  if (Object.hasOwn(modules, name)) return modules[name] as string
  return Object.hasOwn(globals, name) ? (globals[name] as string) : ''
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(1, Number.isFinite(milliseconds) ? milliseconds : 1), '')
    const onAbort = () => {
      clearTimeout(timer)
      resolve('')
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

function digest({ algorithm, key, data }: DigestRequest): string {
  const hash =
    key === undefined ? createHash(String(algorithm)) : createHmac(String(algorithm), Buffer.from(key, 'base64'))
  return hash.update(Buffer.from(data, 'base64')).digest('base64')
}

function randomBase64(count: number): string {
  if (!(count >= 0 && count <= MAX_RANDOM_BYTES))
    throw new RangeError(`randomBytes gives 0 to ${MAX_RANDOM_BYTES} bytes`)
  return randomBytes(count).toString('base64')
}

const URL_PARTS = [
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const

function parseUrl({ address, base, part, value }: UrlRequest): UrlParts {
  const url = new URL(address, base)
  const changed = URL_PARTS.find((each) => each === part)
  if (changed) url[changed] = String(value)
  const parts = URL_PARTS.map((each) => [each, url[each]])
  return { ...Object.fromEntries(parts), href: url.href, origin: url.origin }
}

type Formatter = Record<string, unknown>

const KINDS: Readonly<Record<string, (locales: never, options: never) => object>> = {
  DateTimeFormat: (locales, options) => new Intl.DateTimeFormat(locales, options),
  NumberFormat: (locales, options) => new Intl.NumberFormat(locales, options),
  PluralRules: (locales, options) => new Intl.PluralRules(locales, options),
  RelativeTimeFormat: (locales, options) => new Intl.RelativeTimeFormat(locales, options),
  ListFormat: (locales, options) => new Intl.ListFormat(locales, options),
  Collator: (locales, options) => new Intl.Collator(locales, options),
  DisplayNames: (locales, options) => new Intl.DisplayNames(locales, options),
}
const METHODS = ['format', 'formatToParts', 'formatRange', 'select', 'compare', 'of', 'resolvedOptions']

/** Caches the run's formatters, which are expensive to create. */
function createFormatter(charge: (turns: number) => void) {
  const made = new Map<string, Formatter>()
  return (text: string): string => {
    if (text.length > MAX_INTL_CHARS) throw new RangeError(`Intl takes at most ${MAX_INTL_CHARS} characters`)
    const { kind, locales, options, method, args }: IntlRequest = JSON.parse(text)
    const make = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
    if (!make || !METHODS.includes(method)) throw new TypeError(`Intl.${kind}.${method} is not available`)
    const key = JSON.stringify([kind, locales, options])
    const formatter = made.get(key) ?? (make(locales as never, options as never) as Formatter)
    if (!made.has(key)) charge(FORMATTER_COST)
    made.set(key, formatter)
    const call = formatter[method]
    if (typeof call !== 'function') throw new TypeError(`Intl.${kind} has no ${method}`)
    return JSON.stringify(call.apply(formatter, args)) ?? 'null'
  }
}
