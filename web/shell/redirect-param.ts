/** `?next=/credentials`: where a person wanted to go before signing in. */
export interface RedirectSearch {
  next?: string
}

/** Only a path of this site: `//evil.example` and `https:...` are dropped. */
export function redirectSearch(search: Record<string, unknown>): RedirectSearch {
  const { next } = search
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}
}
