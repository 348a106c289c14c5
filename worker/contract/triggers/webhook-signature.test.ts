import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SIGNATURES, type Signature } from './settings.ts'
import { type SignatureClaim, signatureClaim, timeProblem } from './webhook-signature.ts'

const HEX = 'ab12'.repeat(16)
const BASE64 = btoa(String.fromCharCode(...(HEX.match(/../g) as string[]).map((pair) => Number.parseInt(pair, 16))))

const claimOf = (signature: Signature, headers: Record<string, string>, signatureHeader = 'x-webhook-signature') =>
  signatureClaim({ signature, signatureHeader }, (name) => headers[name] ?? null)

const hmac = (more: Partial<SignatureClaim> = {}) => ({ kind: 'hmac', prefix: '', digests: [HEX], ...more })
const timed = hmac({ prefix: '17.', signedAt: 17 })

describe('a readable claim', () => {
  const claims: [string, Signature, Record<string, string>, object][] = [
    ['no signature', 'none', {}, { kind: 'open' }],
    ['GitHub', 'github', { 'x-hub-signature-256': `sha256=${HEX}` }, hmac()],
    ['GitHub in upper case', 'github', { 'x-hub-signature-256': `sha256=${HEX.toUpperCase()}` }, hmac()],
    ['Stripe', 'stripe', { 'stripe-signature': `t=17,v1=${HEX}` }, timed],
    ['Stripe, spaced', 'stripe', { 'stripe-signature': ` t=17 , v1=${HEX} ` }, timed],
    [
      'Stripe with two secrets and an old scheme',
      'stripe',
      { 'stripe-signature': `t=17,v1=${HEX},v1=${'0'.repeat(64)},v0=${'1'.repeat(64)}` },
      { ...timed, digests: [HEX, '0'.repeat(64)] },
    ],
    ['our own', 'heddle', { 'x-heddle-signature': `t=17,v1=${HEX}` }, timed],
    [
      'Slack',
      'slack',
      { 'x-slack-signature': `v0=${HEX}`, 'x-slack-request-timestamp': '17' },
      hmac({ prefix: 'v0:17:', signedAt: 17 }),
    ],
    ['Shopify', 'shopify', { 'x-shopify-hmac-sha256': BASE64 }, hmac()],
    ['HMAC in hex', 'hmac-sha256', { 'x-webhook-signature': HEX }, hmac()],
    ['HMAC with a prefix', 'hmac-sha256', { 'x-webhook-signature': `sha256=${HEX}` }, hmac()],
    ['HMAC with the other prefix', 'hmac-sha256', { 'x-webhook-signature': `sha1=${HEX}` }, hmac()],
    ['HMAC in base64', 'hmac-sha256', { 'x-webhook-signature': BASE64 }, hmac()],
    ['HMAC in base64 with a prefix', 'hmac-sha256', { 'x-webhook-signature': `sha256=${BASE64}` }, hmac()],
    ['a token', 'plain-token', { 'x-webhook-signature': 'Bearer x' }, { kind: 'token', token: 'Bearer x' }],
  ]
  it.each(claims)('is read from %s', (_, signature, headers, claim) => {
    expect(claimOf(signature, headers)).toEqual(claim)
  })

  it('is read from the configured header', () => {
    expect(claimOf('hmac-sha256', { 'x-mine': HEX }, 'X-Mine')).toEqual(hmac())
    expect(claimOf('plain-token', { authorization: 'Bearer abc' }, 'Authorization')).toEqual({
      kind: 'token',
      token: 'abc',
    })
  })
})

describe('an unreadable claim', () => {
  const claims: [string, Signature, Record<string, string>, RegExp][] = [
    ['no header', 'github', {}, /x-hub-signature-256 is missing/],
    ['an empty header', 'github', { 'x-hub-signature-256': ' ' }, /is missing/],
    ['only GitHub’s older scheme', 'github', { 'x-hub-signature': `sha1=${'a'.repeat(40)}` }, /is missing/],
    [
      'the header of another scheme',
      'stripe',
      { 'x-hub-signature-256': `sha256=${HEX}` },
      /stripe-signature is missing/,
    ],
    ['SHA-1', 'github', { 'x-hub-signature-256': `sha1=${'a'.repeat(40)}` }, /is not valid/],
    ['no prefix', 'github', { 'x-hub-signature-256': HEX }, /sha256=/],
    ['a repeated header', 'github', { 'x-hub-signature-256': `sha256=${HEX}, sha256=${HEX}` }, /is not valid/],
    ['no time', 'stripe', { 'stripe-signature': `v1=${HEX}` }, /one t/],
    ['two times', 'stripe', { 'stripe-signature': `t=17,v1=${HEX}, t=18,v1=${HEX}` }, /one t/],
    ['only an old scheme', 'stripe', { 'stripe-signature': `t=17,v0=${HEX}` }, /at least one v1/],
    ['a short digest', 'stripe', { 'stripe-signature': 't=17,v1=abcd' }, /at least one v1/],
    ['an invalid time', 'heddle', { 'x-heddle-signature': `t=17.5,v1=${HEX}` }, /seconds/],
    ['a negative time', 'heddle', { 'x-heddle-signature': `t=-17,v1=${HEX}` }, /seconds/],
    ['an endless time', 'heddle', { 'x-heddle-signature': `t=${'9'.repeat(40)},v1=${HEX}` }, /seconds/],
    ['Slack without a time', 'slack', { 'x-slack-signature': `v0=${HEX}` }, /x-slack-request-timestamp/],
    [
      'Slack with two times',
      'slack',
      { 'x-slack-signature': `v0=${HEX}`, 'x-slack-request-timestamp': '17, 18' },
      /x-slack-request-timestamp/,
    ],
    ['hex instead of base64', 'shopify', { 'x-shopify-hmac-sha256': HEX }, /base64/],
    ['SHA-1 in hex', 'hmac-sha256', { 'x-webhook-signature': `sha1=${'a'.repeat(40)}` }, /HMAC-SHA256/],
    ['no token', 'plain-token', {}, /x-webhook-signature is missing/],
  ]
  it.each(claims)('is reported for %s', (_, signature, headers, message) => {
    const claim = claimOf(signature, headers)
    expect(claim).toMatchObject({ kind: 'unreadable', message: expect.stringMatching(message) })
  })

  it.each(['t=,v1=', 't,v1=,v0=', 't,,', ',,', 't', '=', 't=1'])('is reported for %j', (value) => {
    expect(claimOf('stripe', { 'stripe-signature': value })).toMatchObject({ kind: 'unreadable' })
  })
})

describe('a signed time', () => {
  const now = new Date('2026-03-01T12:00:00.900Z')
  const seconds = Math.floor(now.getTime() / 1000)
  it.each([
    [0, undefined],
    [-300, undefined],
    [300, undefined],
    [-301, /more than 300 seconds ago/],
    [301, /in the future/],
    [-1e9, /ago/],
    [1e11, /future/],
  ])('is checked at %d seconds from now', (offset, expected) => {
    const problem = timeProblem(seconds + offset, { now, toleranceSeconds: 300 })
    if (expected) expect(problem).toMatch(expected)
    else expect(problem).toBeUndefined()
  })
})

it('reads or rejects any header and returns only complete digests', () => {
  const part = fc.oneof(fc.constantFrom('t=', 'v1=', 'v0=', 'sha256=', ',', ' ', '17', HEX, BASE64), fc.string())
  const value = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.constantFrom(...SIGNATURES), value, value, (signature, first, second) => {
      const headerOf = (name: string) => (name === 'x-slack-request-timestamp' ? second : first)
      const claim = signatureClaim({ signature, signatureHeader: 'x-mine' }, headerOf)
      if (claim.kind !== 'hmac') return
      expect(claim.digests.length).toBeGreaterThan(0)
      for (const digest of claim.digests) expect(digest).toMatch(/^[0-9a-f]{64}$/)
      if (claim.signedAt !== undefined) expect(claim.prefix).toContain(String(claim.signedAt))
    }),
  )
})
