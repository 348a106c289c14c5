/** The fields of a request that came, as a flow may refer to and expect them. Pure. */

import { isRecord } from '#contract/data/json.ts'
import { REDACTED } from '#contract/data/redact.ts'
import type { DeliveryDetail, DeliveryRequest, WebhookPayload } from '#contract/triggers/index.ts'
import type { BODY_TYPES } from '#contract/triggers/settings.ts'
import { grouped } from '#contract/triggers/webhook-body.ts'

type BodyType = (typeof BODY_TYPES)[number]
export type Part = 'body' | 'query' | 'headers'

export interface RequestField {
  part: Part
  /** `repository.name`; as it stands among the expected parameters. */
  name: string
  type: BodyType
  /** What came, short. */
  sample: string
  /** Goes between the braces: `$webhook.body.repository.name`. */
  reference: string
  /** True when `name` can say where it is. */
  canBeExpected: boolean
}

const MAX_DEPTH = 3
const MAX_FIELDS = 100
const SAMPLE_LENGTH = 60
/** Headers of every request, which are not offered for mapping. */
const COMMON_HEADERS =
  /^(accept(-.+)?|cf-.+|connection|content-(length|type|encoding)|host|mf-.+|sec-.+|transfer-encoding|user-agent|x-forwarded-.+|x-real-ip)$/

/** Returns the request as the flow got it, or what was stored of a refused one; null when nothing was stored. */
export function requestOf({ payload, request }: DeliveryDetail): WebhookPayload | null {
  if (payload?.webhook) return payload.webhook
  return request && { body: parseBody(request), headers: request.headers, query: request.query }
}

function parseBody({ body, headers }: DeliveryRequest): unknown {
  if (body === '') return {}
  if (/x-www-form-urlencoded/.test(headers['content-type'] ?? '')) return grouped(new URLSearchParams(body))
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

/** Body first, then query, then headers; objects are opened, lists are not. */
export function fieldsOf({ body, query, headers }: WebhookPayload): RequestField[] {
  const own = Object.entries(headers).filter(([name, value]) => !COMMON_HEADERS.test(name) && value !== REDACTED)
  return [...leaves('body', body), ...leaves('query', query), ...leaves('headers', Object.fromEntries(own))].slice(
    0,
    MAX_FIELDS,
  )
}

function leaves(part: Part, value: unknown, keys: string[] = []): RequestField[] {
  if (isRecord(value) && keys.length < MAX_DEPTH && (keys.length === 0 || Object.keys(value).length > 0)) {
    return Object.entries(value).flatMap(([key, inner]) => leaves(part, inner, [...keys, key]))
  }
  if (keys.length === 0) return []
  const isPlain = keys.every((key) => PLAIN_KEY.test(key))
  return [
    {
      part,
      name: keys.join('.'),
      type: typeOf(value),
      sample: sampleOf(value),
      reference: `$webhook.${part}${keys.map(stepTo).join('')}`,
      canBeExpected: isPlain,
    },
  ]
}

const PLAIN_KEY = /^[^.[\]{}"'\s]+$/

const stepTo = (key: string) => (PLAIN_KEY.test(key) ? `.${key}` : `["${key.replaceAll('"', '')}"]`)

function typeOf(value: unknown): BodyType {
  if (Array.isArray(value)) {
    const item = typeOf(value[0])
    return item.startsWith('array') ? 'array[object]' : (`array[${item}]` as BodyType)
  }
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as BodyType
  return isRecord(value) ? 'object' : 'string'
}

function sampleOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH)}…` : text
}

const PARAMS: Record<Part, string> = {
  body: 'webhookBodyParams',
  query: 'webhookQueryParams',
  headers: 'webhookHeaderParams',
}

type Inputs = Record<string, unknown>

/** Returns true when the Start node's inputs name the field among what they expect. */
export function isExpected(inputs: Inputs, { part, name }: RequestField): boolean {
  return rowsOf(inputs, part).some((row) => (row as Inputs | null)?.name === name)
}

/** The inputs that change when the field is expected from now on; it is not required. */
export function expecting(inputs: Inputs, field: RequestField): Inputs {
  const { part, name, type } = field
  const row = { name, ...(part === 'body' && { type }), required: false }
  return { [PARAMS[part]]: [...rowsOf(inputs, part), row], webhookEnableValidation: true }
}

function rowsOf(inputs: Inputs, part: Part): unknown[] {
  const rows = inputs[PARAMS[part]]
  return Array.isArray(rows) ? rows : []
}
