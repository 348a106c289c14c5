/** Calls web services through egress, with the service's own message in errors. */
import type { Egress } from '../ports/types.ts'

export interface Network {
  egress: Egress
  signal: AbortSignal
}

export interface ServiceCall {
  /** Name in error messages. */
  service: string
  url: string
  /** Query parameters. Undefined and empty values are omitted. */
  query?: Record<string, string | number | undefined>
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged: a form or text. */
  rawBody?: FormData | URLSearchParams | string
  timeoutMs?: number
  maxBytes?: number
}

/** A service that answered otherwise than with success. */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly status: number
  /** In the service's own words. */
  readonly reason: string
  constructor(message: string, status: number, reason: string) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 4 * 1024 * 1024

/** Returns a successful response. @throws ServiceError with the service's name, status and message otherwise */
export async function callService(call: ServiceCall, { egress, signal }: Network): Promise<Response> {
  const { service, method = 'GET', headers, body, rawBody, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = call
  const isJson = body !== undefined
  const init: RequestInit = {
    method,
    headers: mergedHeaders(isJson && { 'content-type': 'application/json' }, headers),
    body: isJson ? JSON.stringify(body) : rawBody,
    signal,
  }
  const response = await egress.fetch(buildAddress(call), init, { timeoutMs, maxBytes })
  if (response.ok) return response
  const { status, statusText } = response
  const reason = reasonIn(await response.text())
  const message = [`${service} responded with ${status} ${statusText}`.trim(), reason].filter(Boolean).join(': ')
  throw new ServiceError(message, status, reason)
}

/** Merges headers case-insensitively. Later values replace earlier ones. */
export function mergedHeaders(...parts: (object | false | undefined)[]): Headers {
  const headers = new Headers()
  for (const part of parts) for (const [name, value] of Object.entries(part || {})) headers.set(name, String(value))
  return headers
}

/** Returns the JSON of the response. @throws Error when the call fails or the response is not a JSON object or array */
export async function callJson<Answer>(call: ServiceCall, network: Network): Promise<Answer> {
  const text = await (await callService(call, network)).text()
  const answer = parsed(text)
  if (typeof answer === 'object') return answer as Answer
  throw new Error(`${call.service} did not return JSON: ${text.slice(0, 200)}`)
}

/** Parses JSON. Treats null as absent, because services use both. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value) => value ?? undefined)
  } catch {
    return undefined
  }
}

/** @throws Error when the text is not a URL */
export function assertAddress(text: string): void {
  if (!URL.canParse(text))
    throw new Error(`"${text.slice(0, 200)}" is not a valid URL. Use an address that starts with https://`)
}

/** Returns the URL with its query. @throws Error that names the service when the URL is invalid */
function buildAddress({ service, url, query = {} }: ServiceCall): string {
  if (!URL.canParse(url))
    throw new Error(`${service}: "${url}" is not a valid URL. Use an address that starts with https://`)
  const address = new URL(url)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') address.searchParams.set(name, String(value))
  return address.href
}

const REASONS = ['message', 'error_description', 'detail', 'error', 'errors', 'title']

/** Returns the message at the usual places in a JSON error, or the truncated response. */
export function reasonIn(answer: string): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(answer)
  } catch {
    return answer.trim().slice(0, 500)
  }
  return (messageIn(parsed) ?? answer).slice(0, 500)
}

function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value || undefined
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  const parts = Array.isArray(value) ? value : REASONS.map((name) => (value as Record<string, unknown>)[name])
  for (const part of parts) {
    const message = messageIn(part, depth + 1)
    if (message) return message
  }
  return undefined
}

/** Truncates text for a model, with a note. */
export function bounded(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}\n[truncated after ${maxChars} characters]`
}
