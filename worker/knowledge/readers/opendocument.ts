/** Reads OpenDocument files: texts as Markdown, sheets row by row, presentations slide by slide. */
import { UnreadableError } from '../types.ts'
import { collectDocuments, type DocumentCollector } from './limits.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { TableRows } from './table-rows.ts'
import type { FileContent, OpenFile } from './types.ts'
import { type Attributes, attributeOf, scanXml, type XmlHandler } from './xml-parts.ts'
import type { Zip } from './zip.ts'

const CONTENT = 'content.xml'
const MANIFEST = 'META-INF/manifest.xml'

/** Texts beside the document itself. */
const ASIDE = new Set(['annotation', 'tracked-changes', 'forms'])
const MAX_REPEATED = 100

export function readOpenDocument(file: OpenFile, zip: Zip): FileContent {
  if (zip.has(MANIFEST) && zip.text(MANIFEST).includes('encryption-data'))
    throw new UnreadableError('This file is encrypted. Save it without a password, and send it again.')
  const gathering = collectDocuments(file)
  const type = zip.text('mimetype', 200)
  if (type.includes('spreadsheet')) return { documents: gathering.documents, pages: readSheets(zip, gathering, file) }
  const writer = new MarkdownWriter(file.limits.chars)
  let pages = 0
  const endPage = () => {
    pages += 1
    if (pages > file.limits.pages)
      throw new UnreadableError(`This file has more than ${file.limits.pages} pages. Divide it.`)
    gathering.add(writer.take(), 'markdown', { page: pages })
  }
  const isSlides = type.includes('presentation')
  scanXml(zip, CONTENT, textHandler(writer, isSlides ? endPage : () => {}))
  if (!isSlides) gathering.add(writer.take(), 'markdown')
  return { documents: gathering.documents, pages: Math.max(1, pages) }
}

function textHandler(writer: MarkdownWriter, endPage: () => void): XmlHandler {
  let asides = 0
  let lists = 0
  const paragraphs: { heading?: number; item?: number }[] = []
  return {
    open(name, attributes) {
      if (ASIDE.has(name)) asides += 1
      if (asides > 0) return
      if (name === 'list') lists += 1
      if (name === 'h') paragraphs.push({ heading: Number(attributeOf(attributes, 'outline-level')) || 1 })
      if (name === 'p') paragraphs.push({ item: lists - 1 })
      openBlock(name, attributes, writer)
    },
    text: (data) => asides === 0 && paragraphs.length > 0 && writer.write(data),
    close(name) {
      if (ASIDE.has(name)) asides -= 1
      else if (asides > 0) return
      else if (name === 'list') lists -= 1
      else if (name === 'p' || name === 'h') writer.closeParagraph(paragraphs.pop())
      else if (name === 'table') writer.closeTable()
      else if (name === 'page') endPage()
    },
  }
}

function openBlock(name: string, attributes: Attributes, writer: MarkdownWriter): void {
  if (name === 'p' || name === 'h') writer.openParagraph()
  else if (name === 'table') writer.openTable()
  else if (name === 'table-row') writer.openRow()
  else if (name === 'table-cell') writer.openCell()
  else writer.write(markOf(name, attributes))
}

/** Returns what an element stands for within a paragraph. */
function markOf(name: string, attributes: Attributes): string {
  if (name === 's') return ' '.repeat(timesOf(attributes, 'c'))
  return name === 'tab' ? '\t' : name === 'line-break' ? '\n' : ''
}

/** Files say "a million times" of what is empty. */
const timesOf = (attributes: Attributes, name: string) =>
  Math.min(MAX_REPEATED, Math.max(1, Number(attributeOf(attributes, name)) || 1))

/** Returns the number of sheets. */
function readSheets(zip: Zip, gathering: DocumentCollector, { limits }: OpenFile): number {
  let sheets = 0
  let rows = new TableRows(gathering, {})
  let column = 0
  let repeated = 1
  let text = ''
  let asides = 0
  let isText = false
  scanXml(zip, CONTENT, {
    open(name, attributes) {
      if (ASIDE.has(name)) asides += 1
      if (name === 'table') {
        sheets += 1
        if (sheets > limits.pages)
          throw new UnreadableError(`This file has more than ${limits.pages} sheets. Divide it.`)
        rows = new TableRows(gathering, { sheet: attributeOf(attributes, 'name') ?? '' })
      }
      if (name === 'table-row') column = 0
      if (name === 'table-cell' || name === 'covered-table-cell') {
        text = ''
        repeated = timesOf(attributes, 'number-columns-repeated')
      }
      if (name === 'p') isText = true
      if (isText && asides === 0) text += markOf(name, attributes)
    },
    text(data) {
      if (isText && asides === 0) text += data
    },
    close(name) {
      if (ASIDE.has(name)) asides -= 1
      if (name === 'p') {
        isText = false
        text += '\n'
      }
      if (name === 'table-cell' || name === 'covered-table-cell') {
        text = text.trim()
        for (let time = 0; time < repeated; time++) rows.addCell(column++, text)
      }
      if (name === 'table-row') rows.endRow()
      if (name === 'table') rows.endSheet()
    },
  })
  return sheets
}
