/** Signed requests that the senders themselves publish, for tests. */
import type { Signature } from '#contract/triggers/settings.ts'

export interface SignedRequest {
  signature: Signature
  headers: Record<string, string>
  body: string
  secrets: string[]
}

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries ("Testing the webhook payload validation") */
export const GITHUB: SignedRequest = {
  signature: 'github',
  secrets: ["It's a Secret to Everybody"],
  body: 'Hello, World!',
  headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack ("Validating a request") */
export const SLACK: SignedRequest = {
  signature: 'slack',
  secrets: ['8f742231b10e8888abcd99yyyzzz85a5'],
  body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  headers: {
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  },
}

/**
 * Stripe's own library: https://github.com/stripe/stripe-dotnet/blob/master/src/StripeTests/Services/Events/EventUtilityTest.cs
 * with the event of src/StripeTests/Resources/event_test_signature.json. The scheme: https://docs.stripe.com/webhooks/signature
 */
export const STRIPE: SignedRequest = {
  signature: 'stripe',
  secrets: ['webhook_secret'],
  body: `{
  "id": "evt_123",
  "object": "event",
  "account": "acct_123",
  "api_version": "2017-05-25",
  "created": 1533204620,
  "data": {
    "object": {
      "id": "cus_123",
      "object": "customer",
      "created": 123456789,
      "email": "test@stripe.com",
      "livemode": false,
      "metadata": {}
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_123",
    "idempotency_key": "idempotency-key-123"
  },
  "type": "customer.created"
}
`,
  headers: {
    'stripe-signature':
      't=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef',
  },
}
