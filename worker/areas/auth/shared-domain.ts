/**
 * The longest domain of at least two labels that both hosts are in: `example.com` of `app.example.com` and
 * `api.example.com`. Undefined for one and the same host, for addresses, and where there is none. Whether it is somebody's
 * own or a registry's (`co.uk`) only the browser knows, which takes no cookie for the latter.
 */
export function sharedDomain(one: string, other: string): string | undefined {
  if (one === other || /[\d\]]$/.test(one)) return undefined
  const labels = other.split('.').reverse()
  const shared: string[] = []
  for (const [at, label] of one.split('.').reverse().entries()) {
    if (label !== labels[at]) break
    shared.unshift(label)
  }
  return shared.length > 1 ? shared.join('.') : undefined
}
