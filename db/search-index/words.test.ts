import { expect, it } from 'vitest'
import { toIndexedText } from './words.ts'

it.each([
  ['Every weaver has holidays.', 'Every weaver has holidays.'],
  ['“Tea” – 20 € → Ærø 🧵', '“Tea” – 20 € → Ærø 🧵'],
  ['東京大学', ' 東京 京大 大学 学 '],
  ['Tea in 東京.', 'Tea in  東京 京 .'],
  ['ﬁne ｶﾅ', 'fine  カナ ナ '],
])('gives the index %j as %j', (text, indexed) => {
  expect(toIndexedText(text)).toBe(indexed)
})

it('every letter of a script without spaces is indexed in pairs', () => {
  const paired =
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
  const missed: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const letter = String.fromCodePoint(code).normalize('NFKC')
    if (paired.test(letter) && toIndexedText(letter) === letter) missed.push(code.toString(16))
  }
  expect(missed).toEqual([])
})
