/** Setup instructions for the senders of each webhook signature scheme. */
import type { Signature } from '#contract/triggers/settings.ts'

interface SignatureSetup {
  /** How to set up the sender. */
  setup: string
  /** The sender generates the secret. */
  isSenderSecret?: boolean
}

export const SIGNATURE_SETUPS: Record<Signature, SignatureSetup> = {
  none: { setup: 'Anyone who knows the URL can start the flow.' },
  heddle: {
    setup:
      'Sign “<timestamp>.<body>” with the secret (HMAC-SHA256) and send x-heddle-signature: t=<timestamp>,v1=<hex>. The timestamp is in Unix seconds; old requests are rejected.',
  },
  github: {
    setup:
      'In the repository, open Settings, Webhooks, Add webhook. Paste the URL as Payload URL and the secret as Secret, and choose the same content type as here.',
  },
  stripe: {
    setup: 'In Stripe, add an event destination with this URL. Then enter the signing secret (whsec_…) here.',
    isSenderSecret: true,
  },
  slack: {
    setup:
      'In your Slack app, open Basic Information, copy the Signing Secret and enter it here. Then paste the URL under Event Subscriptions.',
    isSenderSecret: true,
  },
  shopify: {
    setup:
      'In Shopify, open Settings, Notifications, Webhooks, and create one with this URL in JSON format. Shopify shows the signing secret below the list. Enter it here.',
    isSenderSecret: true,
  },
  'hmac-sha256': {
    setup: 'Sign the body with the secret (HMAC-SHA256, hex or base64) and send the signature in the header.',
  },
  'plain-token': {
    setup: 'Send the secret itself in the header. Prefer a signature: anyone who sees a request can forge another.',
  },
}
