/** Tells the format of a file from its first bytes, and of a text from its name. What a sender declares counts last. */
import { plainMime, sniffMedia } from '#contract/predictions/uploads.ts'
import { UnreadableError } from '../types.ts'

export type Format = 'pdf' | 'zip' | 'text' | 'markdown' | 'html' | 'code' | 'json' | 'jsonl' | 'csv'

const names = (list: string) => list.split(' ')

const TEXT_EXTENSIONS: [Format, string[]][] = [
  ['markdown', names('md markdown mdx mdown mkd')],
  ['html', names('html htm xhtml')],
  ['json', names('json geojson')],
  ['jsonl', names('jsonl ndjson')],
  ['csv', names('csv tsv')],
  [
    'code',
    names(
      'js mjs cjs jsx ts mts cts tsx py rb go rs java kt kts scala swift c h cc cpp hpp cs php sh bash ps1 r lua dart ex exs clj hs sql css scss less vue svelte graphql proto sol tex rst',
    ),
  ],
]

const TEXT_MIMES: Record<string, Format> = {
  'text/markdown': 'markdown',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
}

/** Names that promise bytes of a format of their own. */
const BINARY_EXTENSIONS = new Set(names('pdf docx pptx xlsx xlsm odt ods odp epub doc xls xlsb ppt zip'))

/** @throws UnreadableError when nothing reads such a file */
export function detectFormat(bytes: Uint8Array, { name, mime }: { name: string; mime: string }): Format {
  if (bytes.length === 0) throw new UnreadableError('This file is empty. Send it again.')
  const own = binaryFormat(bytes)
  if (own) return own
  const extension = extensionOf(name)
  if (BINARY_EXTENSIONS.has(extension)) {
    const kind = extension.toUpperCase()
    throw new UnreadableError(`This is not a ${kind} file, though its name says so. Save it as ${kind} again.`)
  }
  const named = TEXT_EXTENSIONS.find(([, extensions]) => extensions.includes(extension))?.[0]
  return named ?? (extension === '' ? TEXT_MIMES[plainMime(mime)] : undefined) ?? (isHtml(bytes) ? 'html' : 'text')
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
}

function binaryFormat(bytes: Uint8Array): Format | undefined {
  const head = asciiOf(bytes, 1024)
  if (head.includes('%PDF-')) return 'pdf'
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return 'zip'
  for (const [start, problem] of FOREIGN) if (head.startsWith(start)) throw new UnreadableError(problem)
  const media = isMarkedText(bytes) ? undefined : sniffMedia(bytes)
  if (media?.startsWith('image/'))
    throw new UnreadableError('This is a picture, which has no text to search. Run OCR first and send the text.')
  if (media)
    throw new UnreadableError('This is a recording, which has no text to search. Transcribe it and send the text.')
  return undefined
}

const OLD_OFFICE =
  'This is an old Office file, or one with a password. Save it as DOCX, XLSX or PPTX without a password.'
const ARCHIVE = 'This is an archive. Unpack it and send the files that are in it.'

/** First bytes of what nothing here reads. */
const FOREIGN: [start: string, problem: string][] = [
  ['\xd0\xcf\x11\xe0', OLD_OFFICE],
  ['{\\rtf', 'This is Rich Text Format. Save it as DOCX, and send that.'],
  ['\x1f\x8b', ARCHIVE],
  ['Rar!', ARCHIVE],
  ['7z\xbc\xaf', ARCHIVE],
  ['BZh', ARCHIVE],
  ['\xfd7zXZ', ARCHIVE],
]

/** UTF-16 with its mark begins like MPEG audio. */
const isMarkedText = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

const isHtml = (bytes: Uint8Array) => /^\s{0,100}(<!doctype html|<html)/i.test(asciiOf(bytes, 256))

const asciiOf = (bytes: Uint8Array, length: number) => Buffer.from(bytes.subarray(0, length)).toString('latin1')
