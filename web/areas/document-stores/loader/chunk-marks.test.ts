import { expect, it } from 'vitest'
import { markChunks, type Span } from './chunk-marks.ts'

const TEXT = 'abcdefghij'
const span = (start: number, end: number): Span => ({ start, end })

/** `abc:0 de:0,1*1`: text, its chunks, and those that begin there. */
const marked = (...spans: Span[]) =>
  markChunks(TEXT, spans)
    .map(({ text, chunks, begins }) => `${text}:${chunks}${begins.length > 0 ? `*${begins}` : ''}`)
    .join(' ')

it.each<[string, Span[], string]>([
  ['no chunks', [], 'abcdefghij:'],
  ['one chunk of all', [span(0, 10)], 'abcdefghij:0*0'],
  ['chunks side by side', [span(0, 5), span(5, 10)], 'abcde:0*0 fghij:1*1'],
  ['chunks that overlap', [span(0, 6), span(4, 10)], 'abcd:0*0 ef:0,1*1 ghij:1'],
  ['a gap between chunks', [span(1, 3), span(5, 7)], 'a: bc:0*0 de: fg:1*1 hij:'],
  ['three chunks over one part', [span(0, 6), span(2, 8), span(4, 10)], 'ab:0*0 cd:0,1*1 ef:0,1,2*2 gh:1,2 ij:2'],
  ['a chunk within another', [span(0, 10), span(3, 5)], 'abc:0*0 de:0,1*1 fghij:0'],
  ['the same chunk twice', [span(2, 4), span(2, 4)], 'ab: cd:0,1*0,1 efghij:'],
  ['chunks out of order', [span(5, 10), span(0, 5)], 'abcde:1*1 fghij:0*0'],
  ['a chunk that ends after the text, which was cut', [span(8, 40), span(50, 60)], 'abcdefgh: ij:0*0'],
  ['an empty chunk', [span(3, 3)], 'abc: defghij:'],
])('marks %s', (_, spans, text) => {
  expect(marked(...spans)).toBe(text)
})

it('the marked text keeps every character of a long text with a thousand chunks', () => {
  const text = 'x'.repeat(200_000)
  const spans = Array.from({ length: 1000 }, (_, index) => span(index * 200, index * 200 + 250))
  const parts = markChunks(text, spans)
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(parts.flatMap(({ begins }) => begins)).toEqual([...spans.keys()])
})
