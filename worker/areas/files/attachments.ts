/** Reads the text of files before they are sent with a question. Nothing is kept. */
import { HeddleError } from '#contract/errors.ts'
import {
  type Attachment,
  cleanName,
  isTextFile,
  MAX_UPLOAD_CHARACTERS,
  plainMime,
  TEXT_KINDS,
  textOfBytes,
} from '#contract/uploads.ts'

interface FileUpload {
  status?: unknown
  /** Media types, separated by commas. */
  allowedUploadFileTypes?: unknown
}

/** Throws `bad_request` when the flow takes no files, or names the one whose text cannot be read. */
export async function readAttachments(
  files: File[],
  { config, base64 }: { config: unknown; base64: boolean },
): Promise<Attachment[]> {
  const { status, allowedUploadFileTypes } = (config ?? {}) as FileUpload
  if (status !== true) throw refusal('files', 'This flow takes no files: switch on its File Upload')
  if (files.length === 0) throw refusal('files', 'Send at least one file')
  const allowed = typeof allowedUploadFileTypes === 'string' ? typesOf(allowedUploadFileTypes) : undefined
  const read: Attachment[] = []
  for (const [index, file] of files.entries()) {
    read.push(await readAttachment(file, { field: `files.${index}`, allowed, base64 }))
  }
  const characters = read.reduce((sum, { content }) => sum + content.length, 0)
  if (!base64 && characters > MAX_UPLOAD_CHARACTERS) {
    throw refusal('files', `All files together have at most ${MAX_UPLOAD_CHARACTERS} characters`)
  }
  return read
}

const typesOf = (list: string) => list.split(',').map(plainMime).filter(Boolean)

interface Reading {
  field: string
  allowed: string[] | undefined
  base64: boolean
}

async function readAttachment(file: File, { field, allowed, base64 }: Reading): Promise<Attachment> {
  const name = cleanName(file.name)
  const mimeType = plainMime(file.type) || 'text/plain'
  if (allowed && !allowed.includes(mimeType)) {
    throw refusal(field, `${field} (${name}): This flow takes ${allowed.join(', ')}, not ${mimeType}`)
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = isTextFile({ name, mime: file.type }) ? textOfBytes(bytes) : undefined
  if (text === undefined) {
    throw refusal(field, `${field} (${name}): No text can be read from ${mimeType} here. Send ${TEXT_KINDS}, in UTF-8`)
  }
  return { name, mimeType, size: bytes.length, content: base64 ? btoa(binary(bytes)) : text }
}

/** One character for each byte. */
function binary(bytes: Uint8Array): string {
  const PIECE = 8192
  let text = ''
  for (let start = 0; start < bytes.length; start += PIECE) {
    text += String.fromCharCode(...bytes.subarray(start, start + PIECE))
  }
  return text
}

const refusal = (field: string, message: string) => new HeddleError('bad_request', message, { field })
