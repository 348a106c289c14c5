/** Source code of the globals of custom functions. It is evaluated once per instance; each run calls what its code mentions. */
import type { SandboxLimits } from './limits.ts'

const SHOW = `(value) => {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && !(value instanceof Error)) {
    try { return JSON.stringify(value) ?? String(value) } catch {}
  }
  return String(value)
}`

/** A function that installs `console` and returns the list of logged lines. */
const consoleSource = ({ logChars }: SandboxLimits) => `() => {
  const show = ${SHOW}
  const lines = []
  let room = ${logChars}
  const log = (...values) => {
    if (room <= 0) return
    const line = values.map(show).join(' ').slice(0, room)
    room -= line.length + 1
    lines.push(line)
  }
  globalThis.console = { log, info: log, warn: log, error: log, debug: log }
  return lines
}`

/** Names of Node and web APIs. Code without any of them needs no installation. */
export const NODE_NAMES =
  /require|Buffer|URL|setTimeout|setInterval|setImmediate|clear(?:Timeout|Interval|Immediate)|Intl|toLocale|Text(?:En|De)coder|atob|btoa/

/** A function that takes the host functions and installs `require` and the globals, created on first use. */
const NODE_SOURCE = `(host) => {
  const loaded = new Map()
  const load = (name) => {
    if (!loaded.has(name)) {
      const source = host.source(name)
      if (source === '') throw new Error(unavailable(name))
      loaded.set(name, (0, eval)(source)(host, load))
    }
    return loaded.get(name)
  }
  const unavailable = (name) => "require('" + name + "') is not available in custom functions. " +
    (['got', 'http', 'https', 'request', 'superagent', 'undici'].includes(name)
      ? 'Use the built-in fetch(url, options) instead.'
      : 'There are axios, node-fetch, assert, buffer, crypto, events, path, querystring, timers and url.')
  globalThis.require = (given) => {
    const name = String(given).replace('node:', '')
    if (name === 'timers/promises') return load('timers').promises
    return load(name)
  }
  const define = (name, get) => Object.defineProperty(globalThis, name, {
    configurable: true,
    get,
    set: (value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true }),
  })
  const globals = {
    buffer: ['Buffer'],
    'web-url': ['URL', 'URLSearchParams'],
    timers: ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
    'text-encoding': ['TextEncoder', 'TextDecoder', 'atob', 'btoa'],
  }
  for (const [module, names] of Object.entries(globals)) for (const name of names) define(name, () => load(module)[name])
  define('Intl', () => load('intl'))
  return () => load('intl')
}`

/** A function that takes the host functions and installs `fetch`. */
const FETCH_SOURCE = `(host) => {
  const headersOf = (pairs) => {
    const map = new Map(pairs)
    return {
      get: (name) => map.get(String(name).toLowerCase()) ?? null,
      has: (name) => map.has(String(name).toLowerCase()),
      entries: () => map.entries(),
      forEach: (visit) => map.forEach((value, name) => visit(value, name)),
    }
  }
  globalThis.fetch = async (url, options) => {
    const { method, headers, body } = options ?? {}
    if (body !== undefined && body !== null && typeof body !== 'string')
      throw new Error('fetch: the body must be a string; use JSON.stringify for an object')
    const answer = JSON.parse(await host.fetch(JSON.stringify({ url: String(url), method, headers, body })))
    return {
      ok: answer.status >= 200 && answer.status < 300,
      status: answer.status,
      statusText: answer.statusText,
      headers: headersOf(answer.headers),
      text: async () => answer.body,
      json: async () => JSON.parse(answer.body),
    }
  }
}`

/** A function that formats a thrown value for people; '' when the interpreter had no memory for an error. */
const DESCRIBE_SOURCE = `(error) => {
  const show = ${SHOW}
  if (error === null) return ''
  if (!(error instanceof Error)) return ('The function threw ' + show(error)).slice(0, 2000)
  const line = /function\\.js:(\\d+)/.exec(String(error.stack))?.[1]
  return (error.name + ': ' + error.message).slice(0, 2000) + (line ? ' (line ' + (line - 1) + ')' : '')
}`

/** Functions of the host that the prelude calls. */
export const HOST_FUNCTIONS = [
  'fetch',
  'sleep',
  'digest',
  'randomBytes',
  'intl',
  'parseUrl',
  'readQuery',
  'printQuery',
  'source',
] as const

export const PRELUDE_FUNCTIONS = [
  'setGlobals',
  'stringify',
  'random',
  'describe',
  'openConsole',
  'openFetch',
  'openNode',
] as const

/** Evaluates to the functions that the host calls. They keep the built-ins, which custom functions can replace. */
export const preludeSource = (limits: SandboxLimits) => `(() => {
  const { parse, stringify } = JSON
  const { assign } = Object
  return {
    setGlobals: (data) => { assign(globalThis, parse(data)) },
    stringify,
    random: Math.random,
    describe: ${DESCRIBE_SOURCE},
    openConsole: ${consoleSource(limits)},
    openFetch: ${FETCH_SOURCE},
    openNode: ${NODE_SOURCE},
  }
})()`
