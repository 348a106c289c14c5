import type { Context } from 'hono'

/** Returns the origin that people see. Behind a proxy that ends TLS it is https, although the proxy calls by http. */
export function ownOrigin(c: Context): string {
  const url = new URL(c.req.url)
  const [scheme] = (c.req.header('x-forwarded-proto') ?? url.protocol).split(/[,:]/)
  const origin = `${scheme}://${c.req.header('host') ?? url.host}`
  return URL.parse(origin)?.origin ?? origin
}
