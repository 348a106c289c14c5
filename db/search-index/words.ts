/** Words of a search index: the text that is indexed, and the expression that finds it. */

/** Written without spaces between words, or with endings at the words: found by pairs of letters. */
const PAIRED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Has letters that may be in such a run. To look for these is ten times faster. */
const MAY_BE_PAIRED = /[\u0E00-\u1FFF\u2E80-\uFFFF]/

/** A question may be a whole page; more words than these find nothing else. */
const MAX_TERMS = 64
const MAX_TERM_CHARS = 100

/** Words that stand in nearly every text: they cost a search most and say least. */
const COMMON = new Set(
  (
    'a about an and are as at be been but by can could did do does for from had has have he her his how i if in into is it ' +
    'its me my no not of on or our she should so than that the their them then there these they this to us was we were what ' +
    'when where which who why will with would you your'
  ).split(' '),
)

/**
 * Returns the text as the index is given it: `東京大学` becomes `東京 京大 大学 学`, so that two letters beside each other
 * are a word, and the last one is a word of its own. Everything else stays.
 */
export function toIndexedText(text: string): string {
  const plain = text.normalize('NFKC')
  return MAY_BE_PAIRED.test(plain) ? plain.replace(PAIRED, (run) => ` ${pairsOf(run).join(' ')} `) : plain
}

/**
 * Returns an FTS5 expression that finds texts with any word of the query, or undefined when it has none. Every word is
 * quoted, so that nothing in a query is an operator.
 */
export function toMatch(query: string): string | undefined {
  const words = [...new Set([...query.normalize('NFKC').matchAll(WORD)].flatMap(([word]) => termsOf(word)))]
  const telling = words.filter((word) => !COMMON.has(word.toLowerCase()))
  const terms = (telling.length > 0 ? telling : words).slice(0, MAX_TERMS)
  return terms.length > 0 ? terms.map(quote).join(' OR ') : undefined
}

/** Returns the letters of each run in pairs, with the last letter alone. */
function pairsOf(run: string): string[] {
  const letters = [...run]
  return letters.map((letter, at) => letter + (letters[at + 1] ?? ''))
}

/** Returns a word of a query, or the pairs of letters that are in it. */
function termsOf(word: string): string[] {
  const others = word.replace(PAIRED, ' ').split(' ')
  const runs = word.match(PAIRED) ?? []
  return [...others, ...runs.flatMap(askedPairs)].filter((term) => term !== '' && term.length <= MAX_TERM_CHARS)
}

/** A letter alone is asked for as the beginning of a pair. */
function askedPairs(run: string): string[] {
  const pairs = pairsOf(run)
  return pairs.length === 1 ? pairs : pairs.slice(0, -1)
}

function quote(term: string): string {
  return isLetterOfPairs(term) ? `"${term}" *` : `"${term}"`
}

const isLetterOfPairs = (term: string) => [...term].length === 1 && term.search(PAIRED) === 0
