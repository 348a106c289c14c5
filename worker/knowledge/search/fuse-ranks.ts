/** Reciprocal rank fusion: what several searches found, in one order, whatever their scores mean. */

/** The usual constant: the first ranks count more than the next, but not by much. */
const K = 60

interface Fused {
  id: string
  score: number
}

/**
 * Returns each id once, best first. Of equal scores, the one that stands earlier in the first lists comes first.
 * @param lists ids, each list best first
 */
export function fuseRanks(lists: readonly (readonly string[])[]): Fused[] {
  const scores = new Map<string, number>()
  for (const list of lists)
    for (const [at, id] of [...new Set(list)].entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + at + 1))
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}
