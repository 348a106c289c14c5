// @defends secrets-remain-recorded
import { expect, it } from 'vitest'
import { namesSecret, REDACTED, redact } from './redact.ts'

it.each([
  'authorization',
  'Proxy-Authorization',
  'cookie',
  'x-hub-signature',
  'x-hub-signature-256',
  'stripe-signature',
  'x-shopify-hmac-sha256',
  'x-slack-signature',
  'x-gitlab-token',
  'x-api-key',
  'X-Auth',
  'api_key',
  'apikey',
  'access_token',
  'accessToken',
  'clientSecret',
  'PHPSESSION-session',
  'sig',
  'X-Amz-Signature',
  'X-Amz-Credential',
  'password',
])('treats %s as secret', (name) => {
  expect(namesSecret(name)).toBe(true)
})

it.each([
  'content-type',
  'user-agent',
  'x-github-event',
  'x-github-delivery',
  'x-slack-request-timestamp',
  'x-author',
  'monkey',
  'key',
  'page',
  'x-design',
  'tokenizer',
])('redaction does not treat %s as secret', (name) => {
  expect(namesSecret(name)).toBe(false)
})

it('keeps names and always redacts the given ones', () => {
  expect(redact({ a: '1', 'X-Mine': 'secret', token: ['x', 'y'], __proto: 2 }, ['x-mine'])).toEqual({
    a: '1',
    'X-Mine': REDACTED,
    token: REDACTED,
    __proto: 2,
  })
})
