/** Reads the body of a webhook with the parser of the content type that the trigger declares. */
import { pathOfNul } from '../data/json.ts'
import { findJsonProblem, type JsonProblem, MAX_VALUES } from '../data/json-text.ts'
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
  const problem = findJsonProblem(text)
  if (problem?.kind === 'nul') return unreadable(PROBLEMS.nul, ['body', ...problem.path].join('.'))
  if (problem) return unreadable(PROBLEMS[problem.kind])
  const parsed = parse(text)
  return parsed ? { isRead: true, value: parsed.value } : unreadable('The body is not valid JSON')
}

const PROBLEMS: Record<JsonProblem['kind'], string> = {
  values: `The body has more than ${MAX_VALUES} values`,
  depth: 'The body is nested too deeply',
  nul: 'This must not contain a NUL character',
}

const MAX_FIELDS = MAX_VALUES

/** A repeated field becomes a list. A JSON document in the field `payload` replaces the form. */
function readFormBody(text: string): BodyResult {
  if (countFields(text) > MAX_FIELDS) return unreadable(`The body has more than ${MAX_FIELDS} fields`)
  const fields = grouped(new URLSearchParams(text))
  const { payload } = fields
  if (typeof payload === 'string' && /^\s*[[{]/.test(payload)) {
    const wrapped = readJsonBody(payload)
    if (wrapped.isRead || findJsonProblem(payload)) return wrapped
  }
  const path = pathOfNul(fields)
  return path ? unreadable(PROBLEMS.nul, ['body', ...path].join('.')) : { isRead: true, value: fields }
}

function countFields(text: string): number {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields += 1
  return fields
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
