import { describe, expect, it } from 'vitest'
import type { Signature } from '#contract/triggers/settings.ts'
import { signatureClaim, timeProblem } from '#contract/triggers/webhook-signature.ts'
import { signatureOf, verify } from './verify.ts'

interface Request {
  signature: Signature
  headers: Record<string, string>
  body: string | Uint8Array
  secrets: string[]
}

const bytesOf = (body: string | Uint8Array) => (typeof body === 'string' ? new TextEncoder().encode(body) : body)

function check({ signature, headers, body, secrets }: Request) {
  const settings = { signature, signatureHeader: 'x-webhook-signature' }
  const claim = signatureClaim(settings, (name) => headers[name] ?? null)
  return { claim, verdict: verify(claim, bytesOf(body), secrets) }
}

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries ("Testing the webhook payload validation") */
const GITHUB: Request = {
  signature: 'github',
  secrets: ["It's a Secret to Everybody"],
  body: 'Hello, World!',
  headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack ("Validating a request") */
const SLACK: Request = {
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
const STRIPE: Request = {
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

const published: [string, Request, number | undefined][] = [
  ['GitHub', GITHUB, undefined],
  ['Slack', SLACK, 1531420618],
  ['Stripe', STRIPE, 1533204620],
]

describe.each(published)('what %s publishes', (_, request, signedAt) => {
  it('verifies, at its own time', () => {
    const { claim, verdict } = check(request)
    expect(verdict).toMatchObject({ isGenuine: true })
    expect(claim).toMatchObject(signedAt === undefined ? { kind: 'hmac' } : { kind: 'hmac', signedAt })
    if (signedAt === undefined) return
    const at = (seconds: number) => timeProblem(signedAt, { now: new Date(seconds * 1000), toleranceSeconds: 300 })
    expect(at(signedAt + 100)).toBeUndefined()
    expect(at(signedAt + 400)).toMatch(/ago/)
    expect(at(signedAt - 400)).toMatch(/future/)
  })

  it('does not when a byte of the body is another', () => {
    for (const body of [`${request.body} `, `${request.body}`.slice(1), '', `\u{feff}${request.body}`]) {
      expect(check({ ...request, body }).verdict).toMatchObject({ isGenuine: false })
    }
  })

  it('does not with another secret, or none', () => {
    expect(check({ ...request, secrets: ['another'] }).verdict).toMatchObject({ isGenuine: false })
    expect(check({ ...request, secrets: [''] }).verdict).toMatchObject({ isGenuine: false })
    expect(check({ ...request, secrets: [] }).verdict).toMatchObject({ message: expect.stringContaining('no secret') })
  })

  it('does with the secret before, while that counts', () => {
    expect(check({ ...request, secrets: ['newer', ...request.secrets] }).verdict).toMatchObject({ isGenuine: true })
  })

  it('does not when a digit of the signature is another', () => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, value.replace(/([0-9a-f]{63})[0-9a-f]/g, '$1x')]),
    )
    const turned = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        value.replace(/=([0-9a-f])(?=[0-9a-f]{63})/g, '=e'),
      ]),
    )
    expect(check({ ...request, headers }).verdict).toMatchObject({ isGenuine: false })
    expect(check({ ...request, headers: turned }).verdict).toMatchObject({ isGenuine: false })
  })
})

it('a signed time cannot be moved', () => {
  const slack = { ...SLACK.headers, 'x-slack-request-timestamp': '1531420619' }
  expect(check({ ...SLACK, headers: slack }).verdict).toMatchObject({ isGenuine: false })
  const stripe = { 'stripe-signature': (STRIPE.headers['stripe-signature'] as string).replace('620', '621') }
  expect(check({ ...STRIPE, headers: stripe }).verdict).toMatchObject({ isGenuine: false })
  const zero = { 'stripe-signature': (STRIPE.headers['stripe-signature'] as string).replace('t=', 't=0') }
  expect(check({ ...STRIPE, headers: zero }).verdict).toMatchObject({ isGenuine: false })
})

it('one of several signatures is enough, and the old scheme of Stripe is none', () => {
  const header = STRIPE.headers['stripe-signature'] as string
  const withAnother = { 'stripe-signature': header.replace(',v1=', `,v1=${'0'.repeat(64)},v1=`) }
  expect(check({ ...STRIPE, headers: withAnother }).verdict).toMatchObject({ isGenuine: true })
  const asOld = { 'stripe-signature': header.replace('v1=', 'v0=') }
  expect(check({ ...STRIPE, headers: asOld }).verdict).toMatchObject({ isGenuine: false })
})

it('two readings of one signed request are known as one', () => {
  const hashOf = (headers: Record<string, string>, secrets = STRIPE.secrets) => {
    const { verdict } = check({ ...STRIPE, headers, secrets })
    return verdict.isGenuine && verdict.signedHash
  }
  const header = STRIPE.headers['stripe-signature'] as string
  const first = hashOf({ 'stripe-signature': header })
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(hashOf({ 'stripe-signature': header.replace(/v1=\w+/, (v1) => `v1=${v1.slice(3).toUpperCase()}`) })).toBe(
    first,
  )
  expect(hashOf({ 'stripe-signature': header.replace(/,v0=\w+/, '') }, ['newer', ...STRIPE.secrets])).toBe(first)
})

describe('the other schemes', () => {
  const body = Uint8Array.of(0xff, 0x00, 0x0a, 0xfe)
  const hex = signatureOf('a secret', '', body)
  const base64 = Buffer.from(hex, 'hex').toString('base64')
  const ours = `t=17,v1=${signatureOf('a secret', '17.', body)}`

  it.each([
    ['shopify', { 'x-shopify-hmac-sha256': base64 }],
    ['hmac-sha256', { 'x-webhook-signature': hex }],
    ['hmac-sha256', { 'x-webhook-signature': `sha256=${hex}` }],
    ['hmac-sha256', { 'x-webhook-signature': base64 }],
    ['heddle', { 'x-heddle-signature': ours }],
    ['plain-token', { 'x-webhook-signature': 'a secret' }],
  ] as [Signature, Record<string, string>][])('%s %j', (signature, headers) => {
    const secrets = ['a secret']
    expect(check({ signature, headers, body, secrets }).verdict).toMatchObject({ isGenuine: true })
    expect(check({ signature, headers, body, secrets: ['another'] }).verdict).toMatchObject({ isGenuine: false })
    if (signature === 'plain-token') return
    expect(check({ signature, headers, body: Uint8Array.of(0xff), secrets }).verdict).toMatchObject({
      isGenuine: false,
    })
  })

  it('a token is compared as a whole', () => {
    for (const token of ['a secre', 'a secret2', 'A secret', '']) {
      const headers = { 'x-webhook-signature': token }
      expect(check({ signature: 'plain-token', headers, body, secrets: ['a secret'] }).verdict.isGenuine).toBe(false)
    }
  })

  it('an open webhook asks for nothing', () => {
    expect(check({ signature: 'none', headers: {}, body, secrets: [] }).verdict).toEqual({ isGenuine: true })
  })
})
