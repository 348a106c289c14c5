/** A request as it came, and what is kept of it. */
import type { Context } from 'hono'
import type { DeliveryRequest, WebhookPayload } from '#contract/triggers/index.ts'
import type { WebhookSettings } from '#contract/triggers/settings.ts'
import { grouped } from '#contract/triggers/webhook-body.ts'
import { redact } from '#contract/triggers/webhook-redact.ts'
import { type HeaderOf, signatureHeaders } from '#contract/triggers/webhook-signature.ts'
import type { AppEnv } from '../../../http/route.ts'

export interface Arrival {
  at: Date
  method: string
  /** By lower-case name. */
  headers: Record<string, string>
  headerOf: HeaderOf
  query: Record<string, string | string[]>
  bytes: Uint8Array
}

export async function readArrival(c: Context<AppEnv>): Promise<Arrival> {
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

const KEPT_BYTES = 64 * 1024

/** For the monitor. */
export function keptRequest({ method, headers, query, bytes }: Arrival, settings: WebhookSettings): DeliveryRequest {
  return {
    method,
    headers: redact(headers, signatureHeaders(settings)),
    query: redact(query),
    body: new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES)),
    isCut: bytes.length > KEPT_BYTES,
  }
}

/** For the flow. */
export function payloadOf({ headers, query }: Arrival, settings: WebhookSettings, body: unknown): WebhookPayload {
  return { body, headers: redact(headers, signatureHeaders(settings)), query: redact(query) }
}
