/** Reads PDF files page by page. */
import { getDocumentProxy } from 'unpdf'
import { UnreadableError } from '../types.ts'
import { collectDocuments } from './limits.ts'
import { checkPdfStreams } from './pdf-streams.ts'
import type { FormatReader } from './types.ts'

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

const BROKEN = 'This PDF is broken or incomplete. Save or export it again.'
const PROTECTED = 'This PDF needs a password. Save it without one, and send it again.'
const NO_TEXT = 'This PDF has no text, only pictures of it. Run OCR first.'

export const readPdf: FormatReader = async (file) => {
  const { bytes, limits, options } = file
  const unpacked = checkPdfStreams(bytes, limits.unzippedBytes)
  // The library takes the bytes for itself.
  const pdf = await openPdf(file.mayTakeBytes ? bytes : bytes.slice())
  try {
    if (pdf.numPages > limits.pages)
      throw new UnreadableError(`This PDF has more than ${limits.pages} pages. Divide it.`)
    const { documents, add, assertRoomFor } = collectDocuments(file)
    const title = await readTitle(pdf)
    const texts: string[] = []
    let chars = 0
    let pieces = MOST_REPEATED + (bytes.length + unpacked) / BYTES_OF_PIECE
    for (let page = 1; page <= pdf.numPages; page++) {
      const text = await pageText(pdf, page, (more, drawn) => {
        pieces -= drawn
        if (pieces < 0) throw new UnreadableError(TOO_OFTEN)
        assertRoomFor(chars + more)
      })
      if (options.division === 'file') {
        chars += text.length
        texts.push(text)
      } else add(text, 'text', { ...title, page })
    }
    if (texts.length > 0) add(texts.filter(Boolean).join('\n\n'), 'text', title)
    if (documents.length === 0) throw new UnreadableError(NO_TEXT)
    return { documents, pages: pdf.numPages }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** What the library says of a file. Whatever else it throws is no fault of the file, and is thrown as it is. */
const PROBLEMS: Record<string, string> = { InvalidPDFException: BROKEN, PasswordException: PROTECTED }

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { stopAtErrors: false, useWorkerFetch: false, verbosity: 0 })
  } catch (error) {
    const problem = error instanceof Error ? PROBLEMS[error.name] : undefined
    throw problem ? new UnreadableError(problem, { cause: error }) : error
  }
}

async function readTitle(pdf: Pdf): Promise<{ title?: string }> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: undefined }))
  const title = (info as { Title?: unknown } | undefined)?.Title
  return typeof title === 'string' && title.trim() !== '' ? { title: title.trim().slice(0, 500) } : {}
}

/** A file that draws each piece of text once takes at least this many bytes for it. */
const BYTES_OF_PIECE = 4
/** Pieces that may be drawn again, as a header is on each page. */
const MOST_REPEATED = 2000
const TOO_OFTEN = 'This PDF draws the same text too often. Export it again, or save its text.'

/** @throws UnreadableError @param pieces since the last time */
type Ask = (chars: number, pieces: number) => void

/**
 * Returns the lines of a page, as far as there is room: a page can draw a form of text in forms in forms. A page that cannot
 * be read is left empty: the others are worth having.
 */
async function pageText(pdf: Pdf, number: number, assertRoom: Ask): Promise<string> {
  let text = ''
  let reader: ReadableStreamDefaultReader | undefined
  try {
    const page = await pdf.getPage(number)
    reader = (page.streamTextContent() as ReadableStream).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (const item of read.value.items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '')
      assertRoom(text.length, read.value.items.length)
    }
    page.cleanup()
  } catch (error) {
    if (!(error instanceof UnreadableError)) return ''
    await reader?.cancel(error).catch(() => {})
    throw error
  }
  return text.trim()
}
