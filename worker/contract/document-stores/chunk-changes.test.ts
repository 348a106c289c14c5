import { describe, expect, it } from 'vitest'
import { costRatio } from '#worker/local/testing/growth.ts'
import { compareChunks, type NewPiece, type OldChunk } from './chunk-changes.ts'

/** The text stands for its hash. */
const piece = (text: string): NewPiece => ({ text, headings: '', metadata: '{}', hash: text })

const chunk = (text: string, chunkNo: number, other: Partial<OldChunk> = {}): OldChunk => ({
  id: `chunk-${chunkNo}`,
  chunkNo,
  pageContent: text,
  metadata: '{}',
  originHash: text,
  isEnabled: true,
  isEdited: false,
  proposedContent: null,
  proposedHash: null,
  ...other,
})
const edited = (text: string, chunkNo: number, origin: string, other: Partial<OldChunk> = {}) =>
  chunk(text, chunkNo, { originHash: origin, isEdited: true, ...other })

const chunks = (...texts: string[]) => texts.map((text, index) => chunk(text, index + 1))
const pieces = (...texts: string[]) => texts.map(piece)

/** The changes in words: `=a@1` kept, `#` renumbered, `+` added, `~` changed, `?` conflict, `-` removed. */
function told(old: OldChunk[], now: NewPiece[]): string[] {
  const { kept, renumbered, added, changed, conflicts, removed } = compareChunks(old, now, 1)
  return [
    ...kept.map(({ pageContent, chunkNo }) => `=${pageContent}@${chunkNo}`),
    ...renumbered.map(({ old, chunkNo }) => `#${old.pageContent}@${chunkNo}`),
    ...added.map(({ piece, chunkNo }) => `+${piece.text}@${chunkNo}`),
    ...changed.map(({ old, piece, chunkNo }) => `~${old.pageContent}>${piece.text}@${chunkNo}`),
    ...conflicts.map(({ old, proposedContent, chunkNo }) => `?${old.pageContent}>${proposedContent}@${chunkNo}`),
    ...removed.map(({ pageContent }) => `-${pageContent}`),
  ].sort()
}

describe('what reading a source again changes', () => {
  const table: [title: string, old: OldChunk[], now: NewPiece[], changes: string[]][] = [
    ['adds every piece of a new source', [], pieces('a', 'b'), ['+a@1', '+b@2']],
    ['keeps what is the same', chunks('a', 'b'), pieces('a', 'b'), ['=a@1', '=b@2']],
    ['changes one chunk for one paragraph', chunks('a', 'b', 'c'), pieces('a', 'x', 'c'), ['=a@1', '=c@3', '~b>x@2']],
    ['renumbers what follows an insertion', chunks('a', 'b'), pieces('a', 'x', 'b'), ['#b@3', '+x@2', '=a@1']],
    ['removes what is gone', chunks('a', 'b', 'c'), pieces('a', 'c'), ['#c@2', '-b', '=a@1']],
    ['moves a chunk without touching its text', chunks('a', 'b'), pieces('b', 'a'), ['#a@2', '#b@1']],
    [
      'changes one of several equal texts',
      chunks('a', 'b', 'c', 'b'),
      pieces('a', 'x', 'c', 'b'),
      ['=a@1', '=b@4', '=c@3', '~b>x@2'],
    ],
    ['keeps each of two equal texts', chunks('a', 'a'), pieces('a', 'a', 'a'), ['+a@3', '=a@1', '=a@2']],
    ['leaves an edit whose source is the same', [edited('mine', 1, 'a')], pieces('a'), ['=mine@1']],
    [
      'asks a person where the source changed under an edit',
      [chunk('a', 1), edited('the red fox', 2, 'the fox')],
      pieces('a', 'the brown fox'),
      ['=a@1', '?the red fox>the brown fox@2'],
    ],
    [
      'proposes the piece that is most like the edit',
      [edited('the red fox jumps', 1, 'the fox jumps')],
      pieces('something else', 'the brown fox jumps'),
      ['+something else@1', '?the red fox jumps>the brown fox jumps@2'],
    ],
    [
      'proposes nothing where the text is gone',
      [edited('mine', 1, 'a'), chunk('b', 2)],
      pieces('b'),
      ['=b@2', '?mine>@1'],
    ],
    [
      'leaves a proposal that was made before',
      [edited('mine', 1, 'a', { proposedContent: 'x', proposedHash: 'x' }), chunk('b', 2)],
      pieces('x', 'b'),
      ['=b@2', '=mine@1'],
    ],
    [
      'withdraws a proposal when the source says again what was edited',
      [edited('mine', 1, 'a', { proposedContent: 'x', proposedHash: 'x' })],
      pieces('a'),
      ['#mine@1'],
    ],
    ['keeps a chunk switched off while its text stands', [chunk('a', 1, { isEnabled: false })], pieces('a'), ['=a@1']],
    [
      'does not switch off new text in place of a chunk that was',
      [chunk('a', 1, { isEnabled: false })],
      pieces('x'),
      ['+x@1', '-a'],
    ],
    ['updates metadata alone', [chunk('a', 1, { metadata: '{"page":1}' })], pieces('a'), ['#a@1']],
  ]
  it.each(table)('%s', (_, old, now, changes) => expect(told(old, now)).toEqual(changes))
})

/** Numbers from 0 to below `below`, always the same ones. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

it('accounts for every chunk and every piece once, with gapless numbers, and loses no edit', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = numbers(seed)
    const text = () => `word${next(9)} word${next(3)}`
    const old = Array.from({ length: next(12) }, (_, index) => {
      const isEdited = next(4) === 0
      return chunk(isEdited ? `mine ${text()}` : text(), index + 1, {
        originHash: text(),
        isEdited,
        isEnabled: next(5) > 0,
      })
    })
    const now = Array.from({ length: next(12) }, text).map(piece)
    const { kept, renumbered, added, changed, conflicts, removed } = compareChunks(old, now, 1)
    const staying = [...kept, ...[...renumbered, ...changed, ...conflicts].map((change) => change.old)]
    expect([...staying, ...removed].map(({ id }) => id).sort()).toEqual(old.map(({ id }) => id).sort())
    const places = [...kept, ...renumbered, ...added, ...changed, ...conflicts].map(({ chunkNo }) => chunkNo)
    expect(places.sort((a, b) => a - b)).toEqual(places.map((_, index) => index + 1))
    const gone = conflicts.filter(({ proposedContent }) => proposedContent === '').length
    expect(places.length - gone).toBe(now.length)
    expect(removed.some(({ isEdited }) => isEdited)).toBe(false)
    expect(changed.some(({ old }) => old.isEdited)).toBe(false)
  }
})

it.each<[string, (index: number) => string, (index: number) => string]>([
  ['equal', () => 'a', () => 'a'],
  ['equal, then distinct', () => 'a', (index) => `x${index}`],
  ['distinct, then equal', (index) => `a${index}`, () => 'a'],
  ['entirely changed', () => 'a', () => 'b'],
])('takes linear time for sources of many chunks that are %s', async (_what, texts, now) => {
  const compare = (count: number) => {
    const old = Array.from({ length: count }, (_, index) => edited(texts(index), index + 1, texts(index)))
    const plain = Array.from({ length: count }, (_, index) => chunk(texts(index), index + 1))
    const next = Array.from({ length: count }, (_, index) => piece(now(index)))
    return () => [compareChunks(old, next, 1), compareChunks(plain, next, 1)]
  }
  expect(await costRatio(compare(2000), compare(16_000), 32)).toBeLessThan(32)
})
