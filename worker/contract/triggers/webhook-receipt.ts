/** By what a delivery is known again when it comes twice. */
import type { WebhookSettings } from './settings.ts'
import type { HeaderOf } from './webhook-signature.ts'

export interface Received {
  signature: WebhookSettings['signature']
  headerOf: HeaderOf
  body: unknown
  /** Hash of the signed bytes, where bytes are signed. */
  signedHash?: string
}

/** Schemes whose signed bytes are never equal in two deliveries: they hold a time, or bodies that always differ. */
const SIGNS_ONCE: ReadonlySet<WebhookSettings['signature']> = new Set(['heddle', 'stripe', 'slack', 'github'])

/** Characters; a longer text is no id. */
const LONGEST_ID = 200

/**
 * All names of this delivery: the sender's id for it, which stays the same when the sender tries again, and what was
 * signed, where that is never the same twice: the id itself is not signed in every scheme. None: nothing tells it from another one, so it is always taken.
 */
export function receiptKeys({ signature, headerOf, body, signedHash }: Received): string[] {
  const own: Partial<Record<typeof signature, string | null>> = {
    github: headerOf('x-github-delivery'),
    shopify: headerOf('x-shopify-webhook-id'),
    stripe: textAt(body, 'id'),
    slack: textAt(body, 'event_id'),
  }
  const ids = signature in own ? [own[signature]] : [headerOf('webhook-id'), headerOf('idempotency-key')]
  const named = ids.flatMap((id) => (id && id.length <= LONGEST_ID ? [`id ${id}`] : []))
  return signedHash !== undefined && SIGNS_ONCE.has(signature) ? [...named, `signed ${signedHash}`] : named
}

function textAt(body: unknown, key: string): string | null {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return null
  const value = (body as Record<string, unknown>)[key]
  return typeof value === 'string' ? value : null
}
