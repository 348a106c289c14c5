/** Reads books chapter by chapter. */
import { UnreadableError } from '../types.ts'
import { htmlAsMarkdown } from './html.ts'
import { collectDocuments } from './limits.ts'
import type { FileContent, OpenFile } from './types.ts'
import { partName, scanXml } from './xml-parts.ts'
import type { Zip } from './zip.ts'

const CONTAINER = 'META-INF/container.xml'
const ENCRYPTION = 'META-INF/encryption.xml'

export async function readEpub(file: OpenFile, zip: Zip): Promise<FileContent> {
  const { documents, add, assertRoomFor } = collectDocuments(file)
  const { title, chapters } = readPackage(zip)
  if (chapters.length > file.limits.pages)
    throw new UnreadableError(`This book has more than ${file.limits.pages} chapters. Divide it.`)
  const locked = encryptedParts(zip)
  if (chapters.some((chapter) => locked.has(chapter)))
    throw new UnreadableError('This book is protected against copying. Get a copy without protection.')
  const book = title === '' ? {} : { title }
  const texts: string[] = []
  let chars = 0
  for (const [index, chapter] of chapters.entries()) {
    const { title: heading, text } = await htmlAsMarkdown(zip.text(chapter), 'about:blank')
    chars += text.length
    if (file.options.division === 'file') {
      assertRoomFor(chars)
      texts.push(text)
    } else add(text, 'markdown', { ...book, page: index + 1, ...(heading && { chapter: heading }) })
  }
  if (texts.length > 0) add(texts.filter(Boolean).join('\n\n'), 'markdown', book)
  return { documents, pages: chapters.length }
}

/** Returns the chapters in reading order, and the title of the book. */
function readPackage(zip: Zip): { title: string; chapters: string[] } {
  const file = packageName(zip)
  const parts = new Map<string, string>()
  const chapters = new Set<string>()
  let title = ''
  let isTitle = false
  scanXml(zip, file, {
    open(name, { id, href, idref }) {
      isTitle = name === 'title' && title === ''
      if (name === 'item' && id && href) parts.set(id, partName(file, decoded(href)))
      const chapter = name === 'itemref' && idref ? parts.get(idref) : undefined
      if (chapter && zip.has(chapter)) chapters.add(chapter)
    },
    text(data) {
      if (isTitle) title = (title + data).slice(0, 500)
    },
    close() {
      isTitle = false
    },
  })
  return { title: title.trim(), chapters: [...chapters] }
}

function packageName(zip: Zip): string {
  let file = ''
  scanXml(zip, CONTAINER, {
    open(name, attributes) {
      if (name === 'rootfile') file ||= attributes['full-path'] ?? ''
    },
  })
  return file
}

/** Fonts of open books are encrypted too, so only what is listed counts. */
function encryptedParts(zip: Zip): Set<string> {
  const names = new Set<string>()
  if (!zip.has(ENCRYPTION)) return names
  scanXml(zip, ENCRYPTION, {
    open(name, { URI }) {
      if (name === 'CipherReference' && URI) names.add(partName('', decoded(URI)))
    },
  })
  return names
}

function decoded(href: string): string {
  const [path = ''] = href.split('#', 1)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
