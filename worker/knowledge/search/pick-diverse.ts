/** Maximal marginal relevance: of much the same, only the best. */

interface Candidate {
  /** From 0 to 1. */
  relevance: number
  vector: ArrayLike<number>
}

/**
 * Returns the indexes of at most k candidates, in the order in which they were picked: each time the one that is relevant
 * and unlike those before it.
 * @param lambda 0 asks for the least alike, 1 only for relevance
 */
export function pickDiverse(candidates: readonly Candidate[], { k, lambda }: { k: number; lambda: number }): number[] {
  const lengths = candidates.map(({ vector }) => Math.sqrt(dot(vector, vector)))
  /** How alike each is to the nearest that was picked. */
  const nearest = candidates.map(() => 0)
  const left = new Set(candidates.keys())
  const picked: number[] = []
  while (picked.length < k && left.size > 0) {
    const value = (index: number) =>
      lambda * (candidates[index] as Candidate).relevance - (1 - lambda) * (nearest[index] as number)
    const best = [...left].reduce((first, index) => (value(index) > value(first) ? index : first))
    left.delete(best)
    picked.push(best)
    for (const index of left) {
      const both = (lengths[index] as number) * (lengths[best] as number)
      const alike = both === 0 ? 0 : dot(vectorAt(candidates, index), vectorAt(candidates, best)) / both
      nearest[index] = Math.max(nearest[index] as number, alike)
    }
  }
  return picked
}

const vectorAt = (candidates: readonly Candidate[], index: number) => (candidates[index] as Candidate).vector

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < Math.min(a.length, b.length); at++) sum += (a[at] as number) * (b[at] as number)
  return sum
}
