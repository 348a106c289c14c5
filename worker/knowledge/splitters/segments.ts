import type { Piece, SourceDocument } from '../types.ts'
import { headingsAbove, type MarkdownOutline, markdownOutline } from './markdown-headings.ts'
import type { Range } from './split-text.ts'

/** Returns the ranges as pieces with the headings above them, where the text is Markdown. */
export function toSegments({ text, format }: SourceDocument, ranges: Range[], outline?: MarkdownOutline): Piece[] {
  const known = outline ?? (format === 'markdown' ? markdownOutline(text) : undefined)
  const titlesAbove = headingsAbove(known?.headings ?? [])
  return ranges.map(({ start, end }) => ({ text: text.slice(start, end), start, end, headings: titlesAbove(start) }))
}
