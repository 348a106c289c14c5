/** Identifies the network of a caller for rate limits. */
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import type { AppEnv } from './route.ts'

/**
 * Returns the caller's network: an IPv4 address, or the first 64 bits of an IPv6 address, the least that one host gets.
 * A header names it only where `CLIENT_ADDRESS_HEADER` says that what is in front sets that header; else it is whoever
 * connected. Callers without a valid address share one entry.
 */
export function callerAddress(c: Context<AppEnv>): string {
  const given = headerAddress(c) ?? peerAddress(c)
  if (!ipaddr.isValid(given)) return 'unknown'
  // Convert IPv4-mapped IPv6 to IPv4.
  const ip = ipaddr.process(given)
  if (ip instanceof ipaddr.IPv4) return ip.toString()
  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** The last entry of a list is what the proxy added; clients send those before it. */
function headerAddress(c: Context<AppEnv>): string | undefined {
  const { clientAddressHeader } = c.get('services').config
  if (clientAddressHeader === undefined) return undefined
  return c.req.header(clientAddressHeader)?.split(',').at(-1)?.trim()
}

/** workerd tells who connected as `127.0.0.1:5000` or `[::1]:5000`. */
function peerAddress({ req }: Context<AppEnv>): string {
  const { clientIp } = (req.raw as { cf?: { clientIp?: unknown } }).cf ?? {}
  return URL.parse(`http://${clientIp}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
}
