/** Cuts Markdown at its headings, code blocks and paragraphs. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import type { SourceDocument, SplitterType } from '../types.ts'
import { type MarkdownOutline, markdownOutline } from './markdown-headings.ts'
import { type PieceSize, pieceSize, sizeParams, splitterDefinition } from './params.ts'
import { PROSE } from './recursive-character.ts'
import { toSegments } from './segments.ts'
import { cutText, type Divider, dividerBefore, type Range } from './split-text.ts'

const LEVELS = [1, 2, 3, 4, 5, 6]

const splitByHeaders: InputParam = {
  label: 'Split by headers',
  name: 'splitByHeaders',
  type: 'options',
  description: 'Starts a new chunk at each of these headings, even if the previous chunk is short',
  options: [
    { label: 'Disabled', name: 'disabled' },
    { label: '# headers (H1)', name: 'h1' },
    ...[2, 3, 4, 5, 6].map((level) => ({ label: `${'#'.repeat(level)} headers (H1-H${level})`, name: `h${level}` })),
  ],
  default: 'disabled',
  optional: true,
}

export const markdownTextSplitter: SplitterType = {
  definition: splitterDefinition({
    label: 'Markdown Text Splitter',
    name: 'markdownTextSplitter',
    type: 'MarkdownTextSplitter',
    version: 1.1,
    description: 'Splits Markdown at headings, then at code blocks and paragraphs',
    inputs: [...sizeParams(), splitByHeaders],
  }),
  split: (document, config) =>
    splitMarkdown(document, pieceSize(config), Number(/^h([1-6])$/.exec(String(config.splitByHeaders))?.[1] ?? 0)),
}

/** @param level headings up to this level always begin a piece; 0: none */
export function splitMarkdown(document: SourceDocument, size: PieceSize, level = 0) {
  const { text } = document
  const outline = markdownOutline(text)
  const borders = outline.headings.filter((heading) => heading.level <= level).map(({ start }) => start)
  const dividers = [
    ...LEVELS.map((each) => headingDivider(outline, each)),
    dividerAt(outline.fences),
    ...PROSE.map(dividerBefore),
  ]
  return toSegments(document, cutText(text, dividers, { ...size, borders }), outline)
}

/** Cuts before the headings of a level. */
function headingDivider({ headings }: MarkdownOutline, level: number): Divider {
  return dividerAt(headings.filter((heading) => heading.level === level).map(({ start }) => start))
}

/** Cuts at known places, which are in order. */
function dividerAt(places: number[]): Divider {
  let next = 0
  return function* knownCuts(_text: string, { start, end }: Range) {
    // Ranges come in the order of the text, so that no place is looked at twice.
    while (next < places.length && (places[next] as number) <= start) next += 1
    for (; next < places.length && (places[next] as number) < end; next++) yield places[next] as number
  }
}
