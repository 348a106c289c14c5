/** Splits by token count. */
import { MAX_CHUNK_CHARS } from '#contract/document-stores/limits.ts'
import { tokenEnd } from '#contract/document-stores/tokens.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import type { SplitterType } from '../types.ts'
import { type PieceSize, pieceSize, sizeParams, splitterDefinition } from './params.ts'
import { toSegments } from './segments.ts'
import { collectRanges, type Range, trimRange } from './split-text.ts'

const MAX_TOKENS = 8192

const encodings: InputParam = {
  label: 'Encoding name',
  name: 'encodingName',
  type: 'options',
  options: ['gpt2', 'r50k_base', 'p50k_base', 'p50k_edit', 'cl100k_base'].map((name) => ({ label: name, name })),
  default: 'gpt2',
  legacy: true,
}

export const tokenTextSplitter: SplitterType = {
  definition: splitterDefinition({
    label: 'Token Text Splitter',
    name: 'tokenTextSplitter',
    type: 'TokenTextSplitter',
    version: 1,
    description: 'Splits by token count',
    hint: 'Token counts are estimates, the same for every model. The encoding of an imported flow is kept but not used.',
    inputs: [encodings, ...sizeParams('tokens')],
  }),
  split: (document, config) => toSegments(document, tokenRanges(document.text, pieceSize(config, MAX_TOKENS))),
}

/** Returns ranges of at most `size` tokens. A token is never cut, so half a surrogate pair is never left. */
function tokenRanges(text: string, { size, overlap }: PieceSize): Range[] {
  const ranges = collectRanges()
  for (let start = 0; start < text.length; ) {
    /** Where the last tokens of the range start, the overlap's first one first. */
    const starts: number[] = []
    let end = start
    let tokens = 0
    while (tokens < size && end < text.length) {
      const next = tokenEnd(text, end)
      if (next - start > MAX_CHUNK_CHARS) break
      if (tokens >= size - overlap) starts.push(end)
      end = next
      tokens += 1
    }
    ranges.add(trimRange(text, { start, end }))
    start = end < text.length ? (starts[0] ?? end) : end
  }
  return ranges.list
}
