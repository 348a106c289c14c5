/** A webhook request, and the parts of it that are stored. */
import type { Context } from 'hono'
import { redact } from '#contract/data/redact.ts'
import type { DeliveryRequest, WebhookPayload } from '#contract/triggers/index.ts'
import type { WebhookSettings } from '#contract/triggers/settings.ts'
import { grouped } from '#contract/triggers/webhook-body.ts'
import { type HeaderOf, signatureHeaders } from '#contract/triggers/webhook-signature.ts'
import type { AppEnv } from '../../../http/route.ts'

export interface IncomingRequest {
  at: Date
  method: string
  /** By lower-case name. */
  headers: Record<string, string>
  headerOf: HeaderOf
  query: Record<string, string | string[]>
  bytes: Uint8Array
}

export async function readIncomingRequest(c: Context<AppEnv>): Promise<IncomingRequest> {
  const { method, headers, url } = c.req.raw
  return {
    at: c.get('services').clock.now(),
    method,
    headers: Object.fromEntries(headers),
    headerOf: (name) => headers.get(name),
    query: grouped(new URL(url).searchParams),
    bytes: new Uint8Array(await c.req.arrayBuffer()),
  }
}

export interface SizeLimits {
  /** Bytes of the body. */
  bytes: number
  /** Characters of each header and parameter. */
  characters: number
  /** Number of headers, and of parameters. */
  entries: number
}

/** The request for the monitor, cut to these limits. */
export function storedRequest(
  incoming: IncomingRequest,
  settings: WebhookSettings,
  limits: SizeLimits,
): DeliveryRequest {
  const { method, headers, query, bytes } = incoming
  const short = <Value>(values: Record<string, Value>) => cut(values, limits)
  return {
    method: method.slice(0, limits.characters),
    headers: short(redact(headers, signatureHeaders(settings))),
    query: short(redact(query)),
    body: new TextDecoder().decode(bytes.subarray(0, limits.bytes)),
    isCut: bytes.length > limits.bytes,
  }
}

function cut<Value>(values: Record<string, Value>, { entries, characters }: SizeLimits): Record<string, string> {
  const first = Object.entries(values).slice(0, entries)
  return Object.fromEntries(
    first.map(([name, value]) => [name.slice(0, characters), String(value).slice(0, characters)]),
  )
}

/** The request for the flow. */
export function payloadOf(
  { headers, query }: IncomingRequest,
  settings: WebhookSettings,
  body: unknown,
): WebhookPayload {
  return { body, headers: redact(headers, signatureHeaders(settings)), query: redact(query) }
}
