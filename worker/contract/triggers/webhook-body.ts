/** Reads the body of a webhook with the parser of the content type that the trigger declares. */
import { isTooDeep, pathOfNul } from '../data/json.ts'
import type { WebhookSettings } from './settings.ts'

export type BodyResult =
  | { isRead: true; value: unknown }
  | { isRead: false; status: 400 | 415; message: string; field?: string }

interface WebhookRequest {
  bytes: Uint8Array
  contentType: string | null
  contentEncoding: string | null
}

/** Returns `{}` for an empty body of any type. */
export function readWebhookBody(declared: WebhookSettings['contentType'], sent: WebhookRequest): BodyResult {
  if (sent.bytes.length === 0) return { isRead: true, value: {} }
  const problem = typeProblem(declared, sent)
  if (problem) return { isRead: false, status: 415, message: problem }
  const text = decodeUtf8(sent.bytes)
  if (text === undefined) return unreadable('The body must be UTF-8')
  return declared === 'application/json' ? readJsonBody(text) : readFormBody(text)
}

function typeProblem(declared: string, { contentType, contentEncoding }: WebhookRequest): string | undefined {
  const accepted = `This webhook accepts ${declared}`
  if (contentEncoding && contentEncoding.trim().toLowerCase() !== 'identity') {
    return `${accepted} without compression, but the request has Content-Encoding: ${shorten(contentEncoding)}`
  }
  if (contentType === null) return `${accepted}, but the request has no Content-Type`
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  if (type !== declared || contentType.includes(','))
    return `${accepted}, but the request has Content-Type: ${shorten(contentType)}`
  const charset = parameters.find((parameter) => /^charset\s*=/.test(parameter))
  if (charset !== undefined && !/^charset\s*=\s*"?(utf-?8|us-ascii)"?$/.test(charset)) {
    return `${accepted} in UTF-8, but the request has ${shorten(charset)}`
  }
  return undefined
}

/** Removes a byte order mark. Returns undefined for invalid UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return undefined
  }
}

function readJsonBody(text: string): BodyResult {
  const parsed = parse(text)
  return parsed ? storable(parsed.value) : unreadable('The body is not valid JSON')
}

/** A repeated field becomes a list. A JSON document in the field `payload` replaces the form. */
function readFormBody(text: string): BodyResult {
  const fields = grouped(new URLSearchParams(text))
  const { payload } = fields
  const wrapped = typeof payload === 'string' ? parse(payload) : undefined
  return storable(typeof wrapped?.value === 'object' && wrapped.value !== null ? wrapped.value : fields)
}

/** Maps each name to its value, or to the list of its values when it repeats. */
export function grouped(pairs: Iterable<[string, string]>): Record<string, string | string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const list = values.get(name)
    if (list) list.push(value)
    else values.set(name, [value])
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? (list[0] as string) : list]))
}

function storable(value: unknown): BodyResult {
  if (isTooDeep(value)) return unreadable('The body is nested too deeply')
  const path = pathOfNul(value)
  if (!path) return { isRead: true, value }
  return unreadable('This must not contain a NUL character', ['body', ...path].join('.'))
}

function unreadable(message: string, field?: string): BodyResult {
  return { isRead: false, status: 400, message, ...(field && { field }) }
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const shorten = (value: string) => value.slice(0, 100)
