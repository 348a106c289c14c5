/** Reads presentations slide by slide, with their notes. */
import { UnreadableError } from '../types.ts'
import { collectDocuments } from './limits.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import type { FileContent, OpenFile } from './types.ts'
import { attributeOf, readRelations, scanXml } from './xml-parts.ts'
import type { Zip } from './zip.ts'

const PRESENTATION = 'ppt/presentation.xml'

export function readPptx(file: OpenFile, zip: Zip): FileContent {
  const { documents, add } = collectDocuments(file)
  const slides = slideNames(zip)
  if (slides.length > file.limits.pages)
    throw new UnreadableError(`This presentation has more than ${file.limits.pages} slides. Divide it.`)
  for (const [index, name] of slides.entries()) {
    const notes = [...readRelations(zip, name).values()].find(({ type }) => type === 'notesSlide')?.target
    const noted = notes && zip.has(notes) ? textOfSlide(zip, notes, file) : ''
    const text = [textOfSlide(zip, name, file), noted && `Notes: ${noted}`].filter(Boolean).join('\n\n')
    add(text, 'markdown', { page: index + 1 })
  }
  return { documents, pages: slides.length }
}

/** Returns the slides in the order of the presentation. */
function slideNames(zip: Zip): string[] {
  const relations = readRelations(zip, PRESENTATION)
  const names = new Set<string>()
  scanXml(zip, PRESENTATION, {
    open(element, attributes) {
      const target = element === 'sldId' ? relations.get(attributes['r:id'] ?? '')?.target : undefined
      if (target && zip.has(target)) names.add(target)
    },
  })
  return [...names]
}

/** Placeholders that repeat on every slide. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])
const TITLES = new Set(['title', 'ctrTitle'])

function textOfSlide(zip: Zip, part: string, { limits }: OpenFile): string {
  const writer = new MarkdownWriter(limits.chars)
  let placeholder = ''
  let item = -1
  let isText = false
  scanXml(zip, part, {
    open(name, attributes) {
      if (name === 'sp') placeholder = ''
      else if (name === 'ph') placeholder = attributeOf(attributes, 'type') ?? 'body'
      else if (name === 'pPr') item = Number(attributeOf(attributes, 'lvl') ?? -1)
      else if (name === 'p') writer.openParagraph()
      else if (name === 'br') writer.write('\n')
      else if (name === 'tbl') writer.openTable()
      else if (name === 'tr') writer.openRow()
      else if (name === 'tc') writer.openCell()
      isText = name === 't' && !REPEATED.has(placeholder)
    },
    text: (data) => isText && writer.write(data),
    close(name) {
      isText = false
      if (name === 'tbl') writer.closeTable()
      if (name !== 'p') return
      writer.closeParagraph(TITLES.has(placeholder) ? { heading: 1 } : { item })
      item = -1
    },
  })
  return writer.take()
}
