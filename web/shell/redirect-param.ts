import { isOwnPath } from '#contract/data/own-path.ts'

/** `?next=/credentials`: the page to open after sign-in. */
export interface RedirectSearch {
  next?: string
}

/** Returns the path of this site and drops values such as `//evil.example` and `https:...`. */
export function redirectSearch(search: Record<string, unknown>): RedirectSearch {
  const { next } = search
  return typeof next === 'string' && isOwnPath(next) ? { next } : {}
}

/** `?sso=expired`: why a sign-in with an identity provider came to nothing. */
export interface SignInSearch extends RedirectSearch {
  sso?: string
}

export function signInSearch(search: Record<string, unknown>): SignInSearch {
  return { ...redirectSearch(search), ...(typeof search.sso === 'string' && { sso: search.sso }) }
}
