// @defends webhook-request-forged
import { expect, it } from 'vitest'
import type { Signature } from './settings.ts'
import { receiptKeys } from './webhook-receipt.ts'

const keys = (
  signature: Signature,
  headers: Record<string, string>,
  more: { body?: unknown; signedHash?: string } = {},
) => receiptKeys({ signature, headerOf: (name) => headers[name] ?? null, body: {}, ...more })

it.each([
  ['github', { 'x-github-delivery': 'd1' }, {}, ['id d1']],
  ['github', { 'webhook-id': 'd1' }, {}, []],
  ['github', { 'x-github-delivery': 'd1' }, { signedHash: 'h' }, ['id d1', 'signed h']],
  ['shopify', { 'x-shopify-webhook-id': 'w1' }, { signedHash: 'h' }, ['id w1']],
  ['hmac-sha256', { 'webhook-id': 'w' }, { signedHash: 'h' }, ['id w']],
  ['shopify', { 'x-shopify-webhook-id': 'w1' }, {}, ['id w1']],
  ['stripe', {}, { body: { id: 'evt_1' }, signedHash: 'h' }, ['id evt_1', 'signed h']],
  ['stripe', { 'idempotency-key': 'free' }, { body: [], signedHash: 'h' }, ['signed h']],
  ['stripe', {}, { body: { id: { evil: 1 } }, signedHash: 'h' }, ['signed h']],
  ['slack', {}, { body: { event_id: 'Ev1' }, signedHash: 'h' }, ['id Ev1', 'signed h']],
  ['slack', {}, { body: 'text', signedHash: 'h' }, ['signed h']],
  ['heddle', { 'idempotency-key': 'i1' }, { signedHash: 'h' }, ['id i1', 'signed h']],
  ['hmac-sha256', { 'webhook-id': 'w', 'idempotency-key': 'i' }, {}, ['id w', 'id i']],
  ['plain-token', {}, {}, []],
  ['none', { 'webhook-id': 'x'.repeat(201) }, {}, []],
] as [Signature, Record<string, string>, { body?: unknown; signedHash?: string }, string[]][])(
  'returns the receipt keys of %s for the headers %j and %j',
  (signature, headers, more, expected) => {
    expect(keys(signature, headers, more)).toEqual(expected)
  },
)
