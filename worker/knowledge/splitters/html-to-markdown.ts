/** Cuts web pages. Readers have already made Markdown of them; a page in HTML is cut at its tags. */
import type { SplitterType } from '../types.ts'
import { splitMarkdown } from './markdown.ts'
import { pieceSize, sizeParams, splitterDefinition } from './params.ts'
import { PROSE } from './recursive-character.ts'
import { toSegments } from './segments.ts'
import { cutText, dividerBefore } from './split-text.ts'

const TAGS = ['<h1', '<h2', '<h3', '<h4', '<table', '<ul', '<ol', '<p', '<div', '<li', '<tr', '<br']

export const htmlToMarkdownTextSplitter: SplitterType = {
  definition: splitterDefinition({
    label: 'HtmlToMarkdown Text Splitter',
    name: 'htmlToMarkdownTextSplitter',
    type: 'HtmlToMarkdownTextSplitter',
    version: 1,
    description: 'Splits web pages at headings, then at paragraphs',
    hint: 'Web pages are converted to Markdown when they are read.',
    inputs: sizeParams(),
  }),
  split(document, config) {
    const size = pieceSize(config)
    if (document.format !== 'html') return splitMarkdown(document, size)
    return toSegments(document, cutText(document.text, [...TAGS, ...PROSE].map(dividerBefore), size))
  },
}
