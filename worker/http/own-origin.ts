import type { Context } from 'hono'

/** The origin that people see; behind a proxy that ends TLS it is https although we were called by http. */
export function ownOrigin(c: Context): string {
  const url = new URL(c.req.url)
  const [scheme] = (c.req.header('x-forwarded-proto') ?? url.protocol).split(/[,:]/)
  const origin = `${scheme}://${c.req.header('host') ?? url.host}`
  return URL.parse(origin)?.origin ?? origin
}
