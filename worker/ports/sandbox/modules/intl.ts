/** `Intl` of the host, and the methods of the language that are defined by it. */
import type { GuestHost, IntlRequest } from './host.ts'

declare const host: GuestHost

const ask = (request: IntlRequest) => JSON.parse(host.intl(JSON.stringify(request)))

/** A formatter: each method asks the host. Dates go as milliseconds, bigints as text. */
function formatter(kind: string, methods: readonly string[]) {
  return class {
    constructor(locales?: unknown, options?: unknown) {
      const call =
        (method: string) =>
        (...args: unknown[]) =>
          ask({ kind, locales, options, method, args: args.map(plain) })
      ask({ kind, locales, options, method: 'resolvedOptions', args: [] })
      for (const method of [...methods, 'resolvedOptions']) Object.assign(this, { [method]: call(method) })
    }
  }
}

const plain = (value: unknown) => {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'bigint' ? String(value) : value
}

const DateTimeFormat = formatter('DateTimeFormat', ['format', 'formatToParts', 'formatRange'])
const NumberFormat = formatter('NumberFormat', ['format', 'formatToParts'])
const intl = {
  DateTimeFormat,
  NumberFormat,
  PluralRules: formatter('PluralRules', ['select']),
  RelativeTimeFormat: formatter('RelativeTimeFormat', ['format', 'formatToParts']),
  ListFormat: formatter('ListFormat', ['format', 'formatToParts']),
  Collator: formatter('Collator', ['compare']),
  DisplayNames: formatter('DisplayNames', ['of']),
}

type Method = (this: { valueOf(): number | bigint }, locales?: unknown, options?: object) => unknown

const dateMethod = (defaults: object, shown: readonly string[]): Method =>
  function (locales, options = {}) {
    if (Number.isNaN(Number(this))) return 'Invalid Date'
    const asked = shown.some((part) => part in options) ? options : { ...defaults, ...options }
    return ask({ kind: 'DateTimeFormat', locales, options: asked, method: 'format', args: [Number(this)] })
  }
const numberMethod: Method = function (locales, options) {
  return ask({ kind: 'NumberFormat', locales, options, method: 'format', args: [plain(this.valueOf())] })
}

const DATE = ['weekday', 'year', 'month', 'day', 'dateStyle']
const TIME = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits', 'timeStyle']
const date = { year: 'numeric', month: 'numeric', day: 'numeric' }
const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' }

const define = (prototype: object, methods: Record<string, Method>) => {
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true })
}
define(Date.prototype, {
  toLocaleString: dateMethod({ ...date, ...time }, [...DATE, ...TIME]),
  toLocaleDateString: dateMethod(date, DATE),
  toLocaleTimeString: dateMethod(time, TIME),
})
define(Number.prototype, { toLocaleString: numberMethod })
define(BigInt.prototype, { toLocaleString: numberMethod })

export default intl
