/** Whose requests count together. */
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'

/**
 * The caller's network: an IPv4 address, or the first 64 bits of an IPv6 address, which is the least that one host is
 * given. The header is set by the edge, which overwrites what a client sends; callers without a proper one count as one.
 */
export function callerAddress(c: Context): string {
  const given = c.req.header('cf-connecting-ip') ?? ''
  if (!ipaddr.isValid(given)) return 'unknown'
  // IPv4-mapped IPv6 becomes IPv4.
  const ip = ipaddr.process(given)
  if (ip instanceof ipaddr.IPv4) return ip.toString()
  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
