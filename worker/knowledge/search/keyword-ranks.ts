/** Ranks texts by the words of a query (BM25), for texts that no index has. */

const K1 = 1.2
const B = 0.75
const WORD = /[\p{L}\p{N}]+/gu

const wordsIn = (text: string): string[] => text.toLowerCase().match(WORD) ?? []

/** Returns the indexes of the texts with a word of the query, best first. Takes time in proportion to their length. */
export function keywordRanks(query: string, texts: readonly string[]): number[] {
  const asked = [...new Set(wordsIn(query))]
  const counted = texts.map((text) => countWords(text, new Set(asked)))
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(texts.length, 1)
  const weight = new Map(asked.map((word) => [word, rarity(counted.filter(({ counts }) => counts.has(word)).length)]))
  function rarity(having: number) {
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))
  }
  const scores = counted.map(({ counts, length }) =>
    [...counts].reduce((sum, [word, count]) => {
      const norm = K1 * (1 - B + (B * length) / Math.max(average, 1))
      return sum + ((weight.get(word) ?? 0) * count * (K1 + 1)) / (count + norm)
    }, 0),
  )
  return scores
    .map((score, at) => ({ score, at }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map(({ at }) => at)
}

function countWords(text: string, asked: ReadonlySet<string>) {
  const words = wordsIn(text)
  const counts = new Map<string, number>()
  for (const word of words) if (asked.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { counts, length: words.length }
}
