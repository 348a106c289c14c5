/** Reads files of any known format. */
import { MAX_FILE_BYTES, MAX_PAGES, MAX_UNZIPPED_BYTES } from '#contract/document-stores/limits.ts'
import { UnreadableError } from '../types.ts'
import { detectFormat, type Format } from './format.ts'
import type { FileContent, FormatReader, ReadLimits, ReadOptions } from './types.ts'

/** One line per format. A reader is loaded with the first file that needs it. */
const readers: Record<Format, () => Promise<FormatReader>> = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  zip: async () => (await import('./zip-formats.ts')).readZip,
  text: async () => (await import('./text.ts')).readText,
  markdown: async () => (await import('./text.ts')).readMarkdown,
  code: async () => (await import('./text.ts')).readCode,
  html: async () => (await import('./html.ts')).readHtml,
  json: async () => (await import('./json.ts')).readJson,
  jsonl: async () => (await import('./json.ts')).readJsonLines,
  csv: async () => (await import('./csv.ts')).readCsv,
}

const LIMITS: ReadLimits = {
  bytes: MAX_FILE_BYTES,
  pages: MAX_PAGES,
  chars: 20_000_000,
  documents: 100_000,
  unzippedBytes: MAX_UNZIPPED_BYTES,
}

interface FileNames extends ReadOptions {
  name: string
  /** What the sender declared. */
  mime: string
  /** The bytes may be empty afterwards: no copy of them is made. */
  mayTakeBytes?: boolean
}

/**
 * Returns the texts in a file, by its bytes and its name.
 * @throws UnreadableError that says what to do: broken, encrypted, without text, too large or of an unknown format
 */
export async function readFile(
  bytes: Uint8Array,
  { name, mime, mayTakeBytes = false, ...options }: FileNames,
  limits: ReadLimits = LIMITS,
): Promise<FileContent> {
  if (bytes.length > limits.bytes)
    throw new UnreadableError(`This file is larger than ${Math.floor(limits.bytes / 1024 ** 2)} MB. Divide it.`)
  const format = detectFormat(bytes, { name, mime })
  const read = await readers[format]?.()
  if (!read)
    throw new UnreadableError(`This is a ${format.toUpperCase()} file. Save its text as Markdown or plain text.`)
  const { documents, pages } = await read({ bytes, name, mayTakeBytes, limits, options })
  if (documents.length === 0) throw new UnreadableError('This file has no text.')
  return { documents: documents.map((document) => ({ ...document, text: storable(document.text) })), pages }
}

/** The database ends a text at NUL, and half of a surrogate pair is no text. */
const storable = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
