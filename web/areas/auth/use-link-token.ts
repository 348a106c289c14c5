import { useEffect, useState } from 'react'

/**
 * Returns the token from the fragment of an email's link, and takes it out of the address and the history. With
 * `keptAs` the tab keeps it, so that it outlives a sign-in.
 */
export function useLinkToken({ keptAs }: { keptAs?: string } = {}): string {
  const [given] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '')
  useEffect(() => {
    if (!given) return
    if (keptAs) sessionStorage.setItem(keptAs, given)
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [given, keptAs])
  return given || (keptAs && sessionStorage.getItem(keptAs)) || ''
}
