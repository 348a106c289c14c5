/** Inputs of loaders that hold files: as they are sent, and as they are stored (Flowise's forms). */
import { tryParseJson } from '../data/json.ts'

const STORED = 'FILE-STORAGE::'
const NAME = ',filename:'

/** A file in a `data:` URI, before its base64 is decoded. */
export interface SentInput {
  name: string
  mime: string
  base64: string
}

/** Returns the value of an input whose files are stored. */
export const storedFiles = (names: readonly string[]): string => STORED + JSON.stringify(names)

/** Works as `storedFiles` does, for a flow: one file is named without a list. */
export function storedInFlow(names: readonly string[]): string {
  const [name = ''] = names
  return names.length === 1 && !name.startsWith('[') ? STORED + name : storedFiles(names)
}

/** Returns the names of stored files, undefined for any other value. */
export function storedFileNames(value: unknown): string[] | undefined {
  if (typeof value !== 'string' || !value.startsWith(STORED)) return undefined
  const rest = value.slice(STORED.length)
  const list = rest.startsWith('[') ? tryParseJson(rest) : undefined
  if (Array.isArray(list)) return list.filter((name): name is string => typeof name === 'string')
  return rest === '' ? [] : [rest]
}

/** Returns the `data:` URIs of a value: one, or a list, which may be JSON text. Undefined for any other value. */
export function sentInputs(value: unknown): (SentInput | undefined)[] | undefined {
  const text = typeof value === 'string' ? value.trimStart() : value
  const list = typeof text === 'string' && text.startsWith('[') ? tryParseJson(text) : text
  const uris = Array.isArray(list) ? list : [list]
  if (!uris.some((uri) => typeof uri === 'string' && uri.startsWith('data:'))) return undefined
  return uris.map((uri) => (typeof uri === 'string' ? parseDataUri(uri) : undefined))
}

/** `data:text/plain;base64,aGk=,filename:a.txt`. Undefined unless it is base64. */
function parseDataUri(uri: string): SentInput | undefined {
  const comma = uri.indexOf(',')
  const head = uri.slice('data:'.length, comma)
  if (!uri.startsWith('data:') || comma < 0 || !head.endsWith(';base64')) return undefined
  const next = uri.indexOf(NAME, comma + 1)
  const base64 = next < 0 ? uri.slice(comma + 1) : uri.slice(comma + 1, next)
  const name = next < 0 ? 'file' : uri.slice(next + NAME.length)
  return { name, mime: head.split(';')[0] as string, base64 }
}

const TYPES: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  epub: 'application/epub+zip',
}

const TEXT_TYPES: Record<string, string> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ndjson: 'application/jsonl',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

/** Bytes at the start of a file that tell its type. */
const SNIFFED = 4096

/** Returns the media type of a document by its first bytes, then by its name. Undefined for what no reader knows. */
export function sniffDocument(bytes: Uint8Array, name: string): string | undefined {
  const head = bytes.subarray(0, SNIFFED)
  const ascii = String.fromCharCode(...head.subarray(0, 1024))
  const extension = name.includes('.') ? (name.split('.').at(-1) as string).toLowerCase() : ''
  if (ascii.includes('%PDF-')) return 'application/pdf'
  if (ascii.startsWith('PK')) return Object.hasOwn(TYPES, extension) ? TYPES[extension] : 'application/zip'
  // An older Office file, or a newer one that is encrypted.
  if (ascii.startsWith('\u00d0\u00cf\u0011\u00e0')) return 'application/x-cfb'
  const isUtf16 = ascii.startsWith('\u00ff\u00fe') || ascii.startsWith('\u00fe\u00ff')
  if (head.includes(0) && !isUtf16) return undefined
  return Object.hasOwn(TEXT_TYPES, extension) ? TEXT_TYPES[extension] : 'text/plain'
}
