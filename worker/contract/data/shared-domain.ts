/**
 * Returns the longest domain of at least two labels that contains both hosts: `example.com` for `app.example.com` and
 * `api.example.com`. Returns undefined for equal hosts and for IP addresses. The result may be a public suffix (`co.uk`):
 * browsers refuse cookies for those.
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
