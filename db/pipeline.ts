/** One request to libSQL: Hrana 2 over JSON. In flight with a bound, for a bounded time, its failure with a class. */
import { LibsqlError } from '@libsql/client/web'
import { currentCaller } from './callers.ts'
import { DatabaseFault } from './database-failure.ts'
import { openSlots } from './slots.ts'
import type { Traffic } from './traffic.ts'

/** The database's address and how to reach it. */
export interface Network {
  fetch(address: string, init: RequestInit): Promise<Response>
}

export interface WireError {
  message: string
  code?: string
}

/**
 * Sends one request on a stream of its own. Throws LibsqlError for what the database refuses to do, and DatabaseFault,
 * whose outcome is `nothing-done` or `unknown`, when it could not be asked or its answer did not arrive.
 */
type Send = <Result>(request: object, timeoutMs: number) => Promise<Result>

type StreamResult<Result> = { type: 'ok'; response: { result: Result } } | { type: 'error'; error: WireError }

/** A quarter of what sqld serves at a time, so that several isolates find room. */
const MAX_IN_FLIGHT = 32
const WAIT_MS = 10_000
const HOLD_MS = 5_000

/** The database rolled back: the same request may succeed the next time. */
const PASSING = /^(SQLITE_BUSY|SQLITE_LOCKED|TRANSACTION_TIMEOUT|TRANSACTION_BUSY)/

/** Statuses with which servers and proxies refuse a request that they did not begin. */
const NOT_BEGUN = new Set([401, 403, 404, 408, 429, 503])

interface Server {
  url: string
  authToken: string | undefined
  traffic: Traffic
}

export function openPipeline({ url, authToken, traffic }: Server, network: Network): Send {
  const address = `${url.replace(/^libsql:/, 'https:').replace(/\/$/, '')}/v2/pipeline`
  const headers = { 'content-type': 'application/json', ...(authToken && { authorization: `Bearer ${authToken}` }) }
  const slots = openSlots(
    { max: MAX_IN_FLIGHT, waitMs: WAIT_MS, holdMs: HOLD_MS },
    () => new DatabaseFault('Too many requests wait for the database', 'nothing-done'),
  )
  traffic.count = slots.count

  async function ask<Result>(body: string, timeoutMs: number): Promise<Result> {
    let response: Response
    let text: string
    try {
      response = await network.fetch(address, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      text = await response.text()
    } catch (error) {
      throw new DatabaseFault(`The database did not answer: ${(error as Error).message}`, 'unknown', { cause: error })
    }
    if (!response.ok) throw refusalOf(response.status, text)
    return readResult<Result>(text)
  }

  return async (request, timeoutMs) => {
    const slot = slots.take(currentCaller())
    const taken = slot instanceof Promise ? await slot : slot
    try {
      return await ask(JSON.stringify({ baton: null, requests: [request, { type: 'close' }] }), timeoutMs)
    } finally {
      slots.give(taken)
    }
  }
}

function readResult<Result>(text: string): Result {
  const [result] = parse<{ results?: StreamResult<Result>[] }>(text)?.results ?? []
  if (result?.type === 'ok') return result.response.result
  if (result?.type === 'error') throw errorOf(result.error)
  throw new DatabaseFault(`The database’s answer cannot be read: ${text.slice(0, MAX_QUOTED)}`, 'unknown')
}

const MAX_QUOTED = 200

/** Servers say in JSON or text why they refuse, and proxies before them in whatever they like. */
function refusalOf(status: number, text: string): LibsqlError {
  const { message, error, code } = parse<Partial<WireError> & { error?: unknown }>(text) ?? {}
  const said = message ?? (typeof error === 'string' ? error : text.slice(0, MAX_QUOTED))
  const reason = `The database answered with HTTP status ${status}: ${said}`
  if (status === 400 || status === 413) return new LibsqlError(reason, code ?? 'SERVER_ERROR')
  return new DatabaseFault(reason, NOT_BEGUN.has(status) ? 'nothing-done' : 'unknown')
}

/** Returns the error of a statement: a fault when it may succeed the next time. */
export function errorOf({ message, code = 'UNKNOWN' }: WireError): LibsqlError {
  return PASSING.test(code) ? new DatabaseFault(`${code}: ${message}`, 'nothing-done') : new LibsqlError(message, code)
}

function parse<Value>(text: string): Value | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
