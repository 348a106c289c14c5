/** Reads Word files as Markdown: headings, lists, tables and notes. */
import { collectDocuments } from './limits.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import type { FileContent, OpenFile } from './types.ts'
import { attributeOf, scanXml, type XmlHandler } from './xml-parts.ts'
import type { Zip } from './zip.ts'

export function readDocx(file: OpenFile, zip: Zip): FileContent {
  const { documents, add } = collectDocuments(file)
  const levels = headingLevels(zip)
  const writer = new MarkdownWriter(file.limits.chars)
  for (const part of ['word/document.xml', 'word/footnotes.xml', 'word/endnotes.xml'])
    if (part === 'word/document.xml' || zip.has(part)) scanXml(zip, part, wordHandler(writer, levels))
  add(writer.take(), 'markdown')
  return { documents, pages: 1 }
}

function wordHandler(writer: MarkdownWriter, levels: Map<string, number>): XmlHandler {
  const paragraphs: { heading?: number; item?: number }[] = []
  let isText = false
  /** What programs write for those that cannot show what stands beside it. */
  let fallbacks = 0
  return {
    open(name, attributes) {
      if (name === 'Fallback') fallbacks += 1
      if (fallbacks > 0) return
      const paragraph = paragraphs.at(-1)
      const value = () => attributeOf(attributes, 'val') ?? ''
      if (name === 'p') paragraphs.push({})
      if (name === 'pStyle' && paragraph) paragraph.heading ??= levels.get(value())
      if (name === 'outlineLvl' && paragraph) paragraph.heading = levelOf(value())
      if (name === 'numPr' && paragraph) paragraph.item ??= 0
      if (name === 'ilvl' && paragraph) paragraph.item = Number(value()) || 0
      openBlock(name, writer)
      isText = name === 't'
    },
    text: (data) => isText && fallbacks === 0 && writer.write(data),
    close(name) {
      isText = false
      if (name === 'Fallback') fallbacks -= 1
      else if (fallbacks > 0) return
      else if (name === 'p') writer.closeParagraph(paragraphs.pop())
      else if (name === 'tbl') writer.closeTable()
    },
  }
}

function openBlock(name: string, writer: MarkdownWriter): void {
  if (name === 'p') writer.openParagraph()
  else if (name === 'tab') writer.write('\t')
  else if (name === 'br' || name === 'cr') writer.write('\n')
  else if (name === 'noBreakHyphen') writer.write('-')
  else if (name === 'tbl') writer.openTable()
  else if (name === 'tr') writer.openRow()
  else if (name === 'tc') writer.openCell()
}

/** Returns the level of each style that is a heading, by the style's id. */
function headingLevels(zip: Zip): Map<string, number> {
  const levels = new Map<string, number>()
  if (!zip.has('word/styles.xml')) return levels
  let style = ''
  scanXml(zip, 'word/styles.xml', {
    open(name, attributes) {
      const value = attributeOf(attributes, 'val') ?? ''
      if (name === 'style') style = attributeOf(attributes, 'styleId') ?? ''
      const named = name === 'name' ? /^heading ([1-9])$/i.exec(value)?.[1] : undefined
      if (named) levels.set(style, Number(named))
      if (name === 'name' && /^title$/i.test(value)) levels.set(style, 1)
      const outline = name === 'outlineLvl' ? levelOf(value) : undefined
      if (outline) levels.set(style, outline)
    },
  })
  return levels
}

/** Word counts the levels of headings from 0; 9 is body text. */
function levelOf(value: string): number | undefined {
  const level = Number(value)
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : undefined
}
