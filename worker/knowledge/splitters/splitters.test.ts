import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_CHUNK_CHARS } from '#contract/document-stores/limits.ts'
import { countTokens } from '#contract/document-stores/tokens.ts'
import type { Piece, SourceDocument, TextFormat } from '../types.ts'
import { splitDocument, splitters } from './index.ts'

const documentOf = (text: string, format: TextFormat = 'text'): SourceDocument => ({ text, format, metadata: {} })
const names = splitters.map(({ definition }) => definition.name)

/** Texts in which everything that a splitter looks for stands close together. */
const texts = fc
  .array(
    fc.constantFrom(
      'word ',
      'a',
      '\n',
      '\n\n',
      ' ',
      '# One\n',
      '\n## Two\n',
      '```\n',
      'Title\n===\n',
      '😀',
      '漢',
      'é',
      '\nclass ',
      '<p>',
      'verylongwordwithoutanyborder',
      '\ud83d',
      '1234567',
      '---',
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(''))
const sizes = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 90 }))
  .map(([chunkSize, percent]) => ({ chunkSize, chunkOverlap: Math.floor((chunkSize * percent) / 100) }))
const formats = fc.constantFrom<TextFormat>('text', 'markdown', 'html', 'code')

const measure = (name: string) => (name === 'tokenTextSplitter' ? countTokens : (text: string) => text.length)
const isLow = (text: string, at: number) => /[\udc00-\udfff]/.test(text[at] ?? '')
const isHigh = (text: string, at: number) => /[\ud800-\udbff]/.test(text[at] ?? '')
const halvesPair = (text: string, at: number) => at > 0 && isHigh(text, at - 1) && isLow(text, at)

/** Returns what stands between pieces: in each gap before, between and after them. */
function gapsOf(text: string, pieces: Piece[]): string[] {
  const ends = [0, ...pieces.map(({ end }) => end)]
  const starts = [...pieces.map(({ start }) => start), text.length]
  return starts.map((start, index) => text.slice(ends[index], start))
}

describe.each(names)('%s', (name) => {
  it('cuts pieces that stand where they say, cover the text and keep to size and overlap', () => {
    fc.assert(
      fc.property(texts, sizes, formats, (text, size, format) => {
        const config = { ...size, language: 'js' }
        const pieces = splitDocument(documentOf(text, format), name, config)
        for (const [index, { start, end, text: own }] of pieces.entries()) {
          expect(own).toBe(text.slice(start, end))
          expect(own.trim()).toBe(own)
          expect(own).not.toBe('')
          if (own.length > 2) expect(measure(name)(own)).toBeLessThanOrEqual(size.chunkSize)
          expect(halvesPair(text, start) || halvesPair(text, end)).toBe(false)
          const before = pieces[index - 1]
          if (!before) continue
          expect(start).toBeGreaterThan(before.start)
          expect(end).toBeGreaterThan(before.end)
          expect(measure(name)(text.slice(start, Math.max(start, before.end)))).toBeLessThanOrEqual(size.chunkOverlap)
        }
        expect(gapsOf(text, pieces).join('').trim()).toBe('')
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    [{ chunkSize: 0 }, 'Chunk size must be a whole number from 1'],
    [{ chunkSize: 1.5 }, 'Chunk size must be'],
    [{ chunkSize: 'many' }, '"chunkSize" must be a number'],
    [{ chunkSize: 1_000_000 }, 'Chunk size must be'],
    [{ chunkSize: 100, chunkOverlap: 100 }, 'Chunk overlap must be a whole number from 0 to 90'],
    [{ chunkSize: 100, chunkOverlap: -1 }, 'Chunk overlap must be'],
  ])('refuses %j', (config, message) => {
    expect(() => splitDocument(documentOf('a'), name, { language: 'js', ...config })).toThrow(message)
  })

  it('takes an overlap that fits when only the size is given', () => {
    const pieces = splitDocument(documentOf('word '.repeat(100)), name, {
      language: 'js',
      chunkSize: 50,
      chunkOverlap: '',
    })
    expect(pieces.length).toBeGreaterThan(1)
  })
})

describe('no chunk is longer than one may be', () => {
  const LONG = 'antidisestablishmentarianism '.repeat(4000)

  it.each([
    ['without a splitter', '', {}],
    ['however many tokens it may have', 'tokenTextSplitter', { chunkSize: 8192, chunkOverlap: 0 }],
  ])('%s', (_, name, config) => {
    const pieces = splitDocument(documentOf(LONG), name, config)
    expect(pieces.length).toBeGreaterThan(1)
    for (const { text } of pieces) expect(text.length).toBeLessThanOrEqual(MAX_CHUNK_CHARS)
  })
})
