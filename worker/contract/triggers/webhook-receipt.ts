/** Keys that identify a delivery, to detect duplicates. */
import type { WebhookSettings } from './settings.ts'
import type { HeaderOf } from './webhook-signature.ts'

interface Received {
  signature: WebhookSettings['signature']
  headerOf: HeaderOf
  body: unknown
  /** Hash of the signed bytes, if any. */
  signedHash?: string
}

/** Schemes whose signed bytes are unique per delivery, because of a time or a unique body. */
const SIGNS_ONCE: ReadonlySet<WebhookSettings['signature']> = new Set(['heddle', 'stripe', 'slack', 'github'])

/** Characters of an id. */
const LONGEST_ID = 200

/**
 * Returns the sender's id, which is stable across retries, and the hash of the signed bytes when those are unique, because
 * not every scheme signs the id. Returns an empty list when nothing identifies the delivery; it is then always accepted.
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
