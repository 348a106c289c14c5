/** How people speak of the ways in which a request proves where it comes from. */
import type { Signature } from '#contract/triggers/settings.ts'

interface Scheme {
  label: string
  /** What to do at the sender, once the address is there. */
  how: string
  /** The sender makes the secret, and it is entered here. */
  isGiven?: boolean
}

export const SIGNATURE_LABELS: Record<Signature, Scheme> = {
  none: { label: 'None: open to everybody', how: 'Who knows the address can start the flow.' },
  heddle: {
    label: 'Signed, with the time',
    how: 'Sign the seconds since 1970, a dot and the body with the secret (HMAC-SHA256), and send x-heddle-signature: t=<seconds>,v1=<hex>. An old request that somebody repeats is refused.',
  },
  github: {
    label: 'GitHub',
    how: 'In the repository, open Settings, Webhooks, Add webhook. Paste the address as Payload URL and the secret as Secret, and choose the content type that is set here.',
  },
  stripe: {
    label: 'Stripe',
    how: 'In Stripe, add an event destination with this address. Stripe then shows a signing secret (whsec_…): enter it here.',
    isGiven: true,
  },
  slack: {
    label: 'Slack',
    how: 'In your Slack app, open Basic Information and copy the Signing Secret: enter it here. Then paste the address under Event Subscriptions.',
    isGiven: true,
  },
  shopify: {
    label: 'Shopify',
    how: 'In Shopify, open Settings, Notifications, Webhooks, and create one with this address in JSON. Shopify shows below the list with what it signs: enter that here.',
    isGiven: true,
  },
  'hmac-sha256': {
    label: 'HMAC-SHA256 of the body',
    how: 'Sign the body with the secret (HMAC-SHA256, hex or base64) and send the signature in the header.',
  },
  'plain-token': {
    label: 'Plain token',
    how: 'Send the secret itself in the header. Anybody who sees a request can send another: prefer a signature.',
  },
}
