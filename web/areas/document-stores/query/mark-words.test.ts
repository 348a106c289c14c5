import { expect, it } from 'vitest'
import { costRatio } from '#worker/local/testing/growth.ts'
import { markWords } from './mark-words.ts'

const marked = (text: string, query: string) =>
  markWords(text, query)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('')

it.each([
  ['Holidays: thirty a year.', 'how many holidays', '[Holidays]: thirty a year.'],
  ['A holiday is paid.', 'HOLIDAYS', 'A [holiday] is paid.'],
  ['We rent and are renting.', 'rented', 'We [rent] and are [renting].'],
  ['Two policies', 'policy', 'Two [policies]'],
  ['art is not artificial', 'art', '[art] is not artificial'],
  ['休暇は三十日です', '休暇', '[休暇]は三十日です'],
  ['Nothing here', 'else', 'Nothing here'],
  ['As it is', '', 'As it is'],
  ['a<b>year</b>', 'year', 'a<b>[year]</b>'],
])('marks in “%s” the words of “%s”', (text, query, expected) => {
  expect(marked(text, query)).toBe(expected)
})

it('keeps the text as it is, to the last character', () => {
  const text = '  Leave — 30 days\n\n(paid) 👩‍👩‍👧 e\u0301te\u0301 '
  expect(
    markWords(text, 'leave paid été')
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})

it('takes time in proportion to a long text and a long query', async () => {
  const mark = (count: number) => {
    const text = 'holiday 休暇は三十日です '.repeat(count)
    return () => markWords(text, text)
  }
  expect(await costRatio(mark(1000), mark(8000), 32)).toBeLessThan(32)
})
