// @defends caller-uses-every
import type { Context } from 'hono'
import { expect, it } from 'vitest'
import { callerAddress } from './caller-address.ts'

const addressOf = (header: string | undefined, clientIp?: string) =>
  callerAddress({ req: { header: () => header, raw: { cf: { clientIp } } } } as unknown as Context)

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:1::1', '2001:db8:1:1::/64'],
  ['2001:0DB8:1:1:ffff:ffff:ffff:ffff', '2001:db8:1:1::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('counts %s as %s', (address, counted) => {
  expect(addressOf(address)).toBe(counted)
})

it.each([undefined, '', 'x'.repeat(10_000), '1.2.3.4, 5.6.7.8', '::zz'])(
  'counts %.20s, which is not an address, as the shared caller',
  (address) => {
    expect(addressOf(address)).toBe('unknown')
  },
)

it.each([
  ['192.0.2.7:5000', '192.0.2.7'],
  ['[2001:db8:1:1::1]:5000', '2001:db8:1:1::/64'],
  ['no address', 'unknown'],
])('counts %s, which connected without an edge, as %s', (peer, counted) => {
  expect(addressOf(undefined, peer)).toBe(counted)
  expect(addressOf('203.0.113.9', peer)).toBe('203.0.113.9')
})
