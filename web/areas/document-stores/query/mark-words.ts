/** Marks the words of a query in a text, so that a reader sees why it was found. Pure, linear in both texts. */

interface TextPart {
  text: string
  isMarked: boolean
}

const WORD = /[\p{L}\p{N}]+/gu
/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const ENDINGS = ['ingly', 'edly', 'ing', 'ed', 'es', 'ly', 's', 'e']
const SHORTEST_STEM = 3

/** Returns the parts of the text in order; joined they are the text. */
export function markWords(text: string, query: string): TextPart[] {
  const words = query.match(WORD) ?? []
  const stems = new Set(words.map(stemOf))
  const pairs = new Set(words.filter((word) => UNSPACED.test(word)).flatMap(pairsOf))
  const parts: TextPart[] = []
  const add = (piece: string, isMarked: boolean) => {
    const last = parts.at(-1)
    if (piece === '') return
    if (last?.isMarked === isMarked) last.text += piece
    else parts.push({ text: piece, isMarked })
  }
  let end = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    add(text.slice(end, index), false)
    end = index + word.length
    if (UNSPACED.test(word)) for (const [character, isMarked] of markPairs(word, pairs)) add(character, isMarked)
    else add(word, stems.has(stemOf(word)))
  }
  add(text.slice(end), false)
  return parts
}

/** A rough English stem: enough to mark `holidays` for `holiday`. */
function stemOf(word: string): string {
  const small = word.toLowerCase().replace(/ie[sd]$/, 'y')
  const ending = ENDINGS.find((each) => small.endsWith(each) && small.length - each.length >= SHORTEST_STEM)
  return ending ? small.slice(0, -ending.length) : small
}

function pairsOf(word: string): string[] {
  const characters = [...word]
  return characters.length === 1 ? characters : characters.slice(1).map((next, at) => `${characters[at]}${next}`)
}

/** Marks characters that stand in a pair of the query. */
function markPairs(word: string, pairs: ReadonlySet<string>): [string, boolean][] {
  const characters = [...word]
  return characters.map((character, at) => [
    character,
    pairs.has(character) ||
      pairs.has(`${characters[at - 1]}${character}`) ||
      pairs.has(`${character}${characters[at + 1]}`),
  ])
}
