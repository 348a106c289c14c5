/** `?next=/credentials`: where a person wanted to go before signing in. */
export interface NextSearch {
  next?: string
}

/** Only a path of this site: `//evil.example` and `https:...` are dropped. */
export function nextSearch(search: Record<string, unknown>): NextSearch {
  const { next } = search
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}
}
