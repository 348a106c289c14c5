/** Calls to a web service by a tool: through egress, with the service's own words when it refuses. */
import type { ToolContext } from '../types.ts'

export type Network = Pick<ToolContext, 'egress' | 'signal'>

export interface ServiceCall {
  /** Whom an error names. */
  service: string
  url: string
  /** Added to the address; what is undefined or empty is left out. */
  query?: Record<string, string | number | undefined>
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is: a form, a text. */
  rawBody?: FormData | URLSearchParams | string
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 4 * 1024 * 1024

/** @throws Error with the service's name, status and message when it refuses */
export async function callService(call: ServiceCall, { egress, signal }: Network): Promise<Response> {
  const { service, method = 'GET', headers, body, rawBody, timeoutMs = TIMEOUT_MS } = call
  const isJson = body !== undefined
  const init: RequestInit = {
    method,
    headers: mergedHeaders(isJson && { 'content-type': 'application/json' }, headers),
    body: isJson ? JSON.stringify(body) : rawBody,
    signal,
  }
  const response = await egress.fetch(addressOf(call), init, { timeoutMs, maxBytes: MAX_BYTES })
  if (response.ok) return response
  const { status, statusText } = response
  const reason = reasonIn(await response.text())
  throw new Error([`${service} answered ${status} ${statusText}`.trim(), reason].filter(Boolean).join(': '))
}

/** Later ones take the place of earlier ones of the same name, however that is written: as two, they would be sent joined. */
export function mergedHeaders(...parts: (object | false | undefined)[]): Headers {
  const headers = new Headers()
  for (const part of parts) for (const [name, value] of Object.entries(part || {})) headers.set(name, String(value))
  return headers
}

/** The JSON of the answer. @throws Error also when it is none */
export async function callJson<Answer>(call: ServiceCall, outside: Network): Promise<Answer> {
  const text = await (await callService(call, outside)).text()
  const answer = parsed(text)
  if (typeof answer === 'object') return answer as Answer
  throw new Error(`${call.service} did not answer with JSON: ${text.slice(0, 200)}`)
}

/** What is null is absent: services say both for the same. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value) => value ?? undefined)
  } catch {
    return undefined
  }
}

/** @throws Error that says what an address looks like */
export function assertAddress(text: string): void {
  if (!URL.canParse(text)) throw new Error(`"${text.slice(0, 200)}" is not an address. It begins with https://`)
}

/** @throws Error that names the service when the address is none */
function addressOf({ service, url, query = {} }: ServiceCall): string {
  if (!URL.canParse(url)) throw new Error(`${service}: "${url}" is not an address. It begins with https://`)
  const address = new URL(url)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') address.searchParams.set(name, String(value))
  return address.href
}

const REASONS = ['message', 'error_description', 'detail', 'error', 'errors', 'title']

/** What a service says went wrong: the text at the usual places of its JSON, or the whole answer, cut. */
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

/** Cut where a model would drown in it, and said so. */
export function bounded(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}\n[cut after ${maxChars} characters]`
}
