// @defends webhook-request-forged
import { describe, expect, it } from 'vitest'
import type { Signature } from '#contract/triggers/settings.ts'
import { signatureClaim, timeProblem } from '#contract/triggers/webhook-signature.ts'
import { GITHUB, type SignedRequest, SLACK, STRIPE } from './testing/signed-requests.ts'
import { signatureOf, verify } from './verify-signature.ts'

const bytesOf = (body: string | Uint8Array) => (typeof body === 'string' ? new TextEncoder().encode(body) : body)

function check({ signature, headers, body, secrets }: Omit<SignedRequest, 'body'> & { body: string | Uint8Array }) {
  const settings = { signature, signatureHeader: 'x-webhook-signature' }
  const claim = signatureClaim(settings, (name) => headers[name] ?? null)
  return { claim, verdict: verify(claim, bytesOf(body), secrets) }
}

const published: [string, SignedRequest, number | undefined][] = [
  ['GitHub', GITHUB, undefined],
  ['Slack', SLACK, 1531420618],
  ['Stripe', STRIPE, 1533204620],
]

describe.each(published)('what %s publishes', (_, request, signedAt) => {
  it('accepts the signature at its signing time', () => {
    const { claim, verdict } = check(request)
    expect(verdict).toMatchObject({ isGenuine: true })
    expect(claim).toMatchObject(signedAt === undefined ? { kind: 'hmac' } : { kind: 'hmac', signedAt })
    if (signedAt === undefined) return
    const at = (seconds: number) => timeProblem(signedAt, { now: new Date(seconds * 1000), toleranceSeconds: 300 })
    expect(at(signedAt + 100)).toBeUndefined()
    expect(at(signedAt + 400)).toMatch(/ago/)
    expect(at(signedAt - 400)).toMatch(/future/)
  })

  it('rejects a changed body', () => {
    for (const body of [`${request.body} `, `${request.body}`.slice(1), '', `\u{feff}${request.body}`]) {
      expect(check({ ...request, body }).verdict).toMatchObject({ isGenuine: false })
    }
  })

  it('rejects another secret, or none', () => {
    expect(check({ ...request, secrets: ['another'] }).verdict).toMatchObject({ isGenuine: false })
    expect(check({ ...request, secrets: [''] }).verdict).toMatchObject({ isGenuine: false })
    expect(check({ ...request, secrets: [] }).verdict).toMatchObject({ message: expect.stringContaining('no secret') })
  })

  it('accepts the previous secret while it is valid', () => {
    expect(check({ ...request, secrets: ['newer', ...request.secrets] }).verdict).toMatchObject({ isGenuine: true })
  })

  it('rejects a changed signature', () => {
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

it('rejects a changed time', () => {
  const slack = { ...SLACK.headers, 'x-slack-request-timestamp': '1531420619' }
  expect(check({ ...SLACK, headers: slack }).verdict).toMatchObject({ isGenuine: false })
  const stripe = { 'stripe-signature': (STRIPE.headers['stripe-signature'] as string).replace('620', '621') }
  expect(check({ ...STRIPE, headers: stripe }).verdict).toMatchObject({ isGenuine: false })
  const zero = { 'stripe-signature': (STRIPE.headers['stripe-signature'] as string).replace('t=', 't=0') }
  expect(check({ ...STRIPE, headers: zero }).verdict).toMatchObject({ isGenuine: false })
})

it('accepts one of several signatures, but not Stripe’s old scheme', () => {
  const header = STRIPE.headers['stripe-signature'] as string
  const withAnother = { 'stripe-signature': header.replace(',v1=', `,v1=${'0'.repeat(64)},v1=`) }
  expect(check({ ...STRIPE, headers: withAnother }).verdict).toMatchObject({ isGenuine: true })
  const asOld = { 'stripe-signature': header.replace('v1=', 'v0=') }
  expect(check({ ...STRIPE, headers: asOld }).verdict).toMatchObject({ isGenuine: false })
})

it('gives one signed request the same hash in every form', () => {
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

  it('compares the whole token', () => {
    for (const token of ['a secre', 'a secret2', 'A secret', '']) {
      const headers = { 'x-webhook-signature': token }
      expect(check({ signature: 'plain-token', headers, body, secrets: ['a secret'] }).verdict.isGenuine).toBe(false)
    }
  })

  it('accepts any request for a public webhook', () => {
    expect(check({ signature: 'none', headers: {}, body, secrets: [] }).verdict).toEqual({ isGenuine: true })
  })
})
