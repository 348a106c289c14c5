// @defends caller-names-address
// @defends caller-uses-every
import type { Context } from 'hono'
import { describe, expect, it } from 'vitest'
import { callerAddress } from './caller-address.ts'
import type { AppEnv } from './route.ts'

interface Sent {
  trusted?: string
  headers?: Record<string, string>
  peer?: string
}

const addressOf = ({ trusted, headers = {}, peer }: Sent) =>
  callerAddress({
    get: () => ({ config: { clientAddressHeader: trusted } }),
    req: { header: (name: string) => headers[name], raw: { cf: { clientIp: peer } } },
  } as unknown as Context<AppEnv>)

const behindEdge = (address: string) =>
  addressOf({ trusted: 'cf-connecting-ip', headers: { 'cf-connecting-ip': address } })

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:1::1', '2001:db8:1:1::/64'],
  ['2001:0DB8:1:1:ffff:ffff:ffff:ffff', '2001:db8:1:1::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('counts %s as %s', (address, counted) => {
  expect(behindEdge(address)).toBe(counted)
})

it.each(['', 'x'.repeat(10_000), '::zz'])('counts %.20s, which is not an address, as the shared caller', (address) => {
  expect(behindEdge(address)).toBe('unknown')
})

it.each([
  ['192.0.2.7:5000', '192.0.2.7'],
  ['[2001:db8:1:1::1]:5000', '2001:db8:1:1::/64'],
  ['no address', 'unknown'],
])('counts %s, which connected without an edge, as %s', (peer, counted) => {
  expect(addressOf({ peer })).toBe(counted)
})

describe('a header that names an address', () => {
  const peer = '192.0.2.7:5000'
  const headers = {
    'cf-connecting-ip': '203.0.113.9',
    'x-forwarded-for': '198.51.100.1, 203.0.113.8',
    'x-real-ip': '203.0.113.7',
  }

  it('is ignored where nothing in front sets it', () => {
    expect(addressOf({ headers, peer })).toBe('192.0.2.7')
  })

  it.each([
    ['cf-connecting-ip', '203.0.113.9'],
    ['x-real-ip', '203.0.113.7'],
    ['x-forwarded-for', '203.0.113.8'],
  ])('is the caller’s where it is %s, which the proxy sets', (trusted, counted) => {
    expect(addressOf({ trusted, headers, peer })).toBe(counted)
  })

  it('is whoever connected where the proxy’s header is absent', () => {
    expect(addressOf({ trusted: 'x-real-ip', headers: {}, peer })).toBe('192.0.2.7')
  })
})
