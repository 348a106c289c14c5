/** Identifies the network of a caller for rate limits. */
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'

/**
 * Returns the caller's network: an IPv4 address, or the first 64 bits of an IPv6 address, the least that one host gets.
 * The edge sets the header and overwrites what a client sends; without an edge, it is whoever connected. Callers without a
 * valid address share one entry.
 */
export function callerAddress(c: Context): string {
  const given = c.req.header('cf-connecting-ip') ?? peerAddress(c)
  if (!ipaddr.isValid(given)) return 'unknown'
  // Convert IPv4-mapped IPv6 to IPv4.
  const ip = ipaddr.process(given)
  if (ip instanceof ipaddr.IPv4) return ip.toString()
  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** workerd tells who connected as `127.0.0.1:5000` or `[::1]:5000`. */
function peerAddress({ req }: Context): string {
  const { clientIp } = (req.raw as { cf?: { clientIp?: unknown } }).cf ?? {}
  return URL.parse(`http://${clientIp}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
}
