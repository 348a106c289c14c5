/** Vectors out of spellings: words and groups of their letters, hashed. No model, no meanings. */

export const PRACTICE_DIMENSIONS = 256
/** A text is a few pages at most. */
/** A longer word would overflow the stack of the expression that finds words. */
const MAX_CHARS = 1_000_000
const MAX_WORDS = 20_000
const MAX_WORD_CHARS = 40
const WORD = /[\p{L}\p{N}]+/gu
const GROUP = 3
const GROUP_WEIGHT = 0.4

/** Returns a vector of length 1. Texts with the same words in another order, or in other cases, have the same. */
export function practiceVector(text: string): number[] {
  const vector = new Array<number>(PRACTICE_DIMENSIONS).fill(0)
  for (const [word, count] of countWords(text)) {
    // The tenth time says little that the first did not.
    const weight = 1 + Math.log(count)
    add(vector, `w ${word}`, weight)
    for (const group of groupsOf(word)) add(vector, `g ${group}`, weight * GROUP_WEIGHT)
  }
  const length = Math.hypot(...vector)
  if (length > 0) return vector.map((value) => value / length)
  // Nothing that has a spelling: a direction of its own, since a vector of zeros has none.
  add(vector, `t ${text}`, 1)
  return vector
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  let words = 0
  for (const [found] of text
    .slice(0, MAX_CHARS)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .matchAll(WORD)) {
    if (++words > MAX_WORDS) break
    const word = found.slice(0, MAX_WORD_CHARS)
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

function groupsOf(word: string): string[] {
  const letters = ` ${word} `
  return Array.from({ length: letters.length - GROUP + 1 }, (_, at) => letters.slice(at, at + GROUP))
}

/** Adds or subtracts, as the hash says, so that different words that meet in one place do not only add up. */
function add(vector: number[], feature: string, weight: number): void {
  const hash = hashOf(feature)
  const at = hash % PRACTICE_DIMENSIONS
  vector[at] = (vector[at] as number) + (hash & 0x8000_0000 ? -weight : weight)
}

/** FNV-1a with a last mix, unsigned. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
