/** Patterns of paths, as in .gitignore: `*`, `**`, `?`; without a slash they match a name in any folder. */

const MAX_PATTERNS = 100
const MAX_PATTERN_CHARS = 200

/** @param written a JSON list, or patterns separated by commas or lines */
export function readGlobs(written: string): string[] {
  const text = written.trim()
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  return bare
    .split(/[,\n]/)
    .map((pattern) => pattern.trim().replace(/^["']|["']$/g, ''))
    .filter((pattern) => pattern !== '' && pattern.length <= MAX_PATTERN_CHARS)
    .slice(0, MAX_PATTERNS)
}

/** Returns whether the path, or a folder above it, matches. */
export function matchesGlob(path: string, pattern: string): boolean {
  const bare = pattern.endsWith('/') ? pattern.slice(0, -1) : pattern
  if (!bare.includes('/')) return path.split('/').some((name) => matchesWhole(name, bare))
  const rooted = bare.startsWith('/') ? bare.slice(1) : bare
  return matchesWhole(path, rooted) || matchesWhole(path, `${rooted}/**`)
}

/** Follows all places of the pattern at once, so that no pattern takes longer than its length times the path's. */
function matchesWhole(text: string, pattern: string): boolean {
  const parts = pattern.match(/\*\*\/?|[\s\S]/g) ?? []
  let places = new Set([0])
  const skipStars = () => {
    for (const place of places) if (parts[place]?.startsWith('*')) places.add(place + 1)
  }
  skipStars()
  for (const letter of text) {
    const next = new Set<number>()
    for (const place of places) {
      const part = parts[place]
      if (part === undefined) continue
      if (part.startsWith('**') || (part === '*' && letter !== '/')) next.add(place)
      else if (part === letter || (part === '?' && letter !== '/')) next.add(place + 1)
    }
    places = next
    skipStars()
    if (places.size === 0) return false
  }
  return places.has(parts.length)
}
