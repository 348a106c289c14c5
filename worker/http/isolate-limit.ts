/**
 * Counts calls in this isolate's memory. It bounds what an address costs before anything else is asked, so it takes no
 * round trip itself; another isolate counts for itself.
 */

/** Addresses of one window. Beyond it, counting starts again. */
const MAX_COUNTED = 100_000

interface Window {
  key: string
  max: number
  windowSeconds: number
}

/** @returns a function that counts one use and returns the seconds to wait, or 0 while the window is not used up */
export function createIsolateLimit() {
  const counts = new Map<string, { count: number; endsAt: number }>()

  return ({ key, max, windowSeconds }: Window, now = Date.now()): number => {
    const known = counts.get(key)
    if (known && known.endsAt > now) {
      known.count += 1
      return known.count > max ? Math.ceil((known.endsAt - now) / 1000) : 0
    }
    if (counts.size >= MAX_COUNTED) counts.clear()
    counts.set(key, { count: 1, endsAt: now + windowSeconds * 1000 })
    return 0
  }
}
