/** Extracts the text of files before they are sent with a question. Stores nothing. */
import { HeddleError } from '#contract/errors.ts'
import {
  type Attachment,
  cleanName,
  isTextFile,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_CHARACTERS,
  plainMime,
  TEXT_KINDS,
  textOfBytes,
} from '#contract/predictions/uploads.ts'
import { readFile } from '../../knowledge/readers/index.ts'
import type { ReadLimits } from '../../knowledge/readers/types.ts'
import { UnreadableError } from '../../knowledge/types.ts'

interface FileUpload {
  status?: unknown
  /** Media types, separated by commas. */
  allowedUploadFileTypes?: unknown
}

/**
 * Throws `bad_request` when the flow accepts no files, or naming the file whose text cannot be read.
 * @param isKnown whether a member or a key sends them
 */
export async function readAttachments(
  files: File[],
  { config, base64, isKnown }: { config: unknown; base64: boolean; isKnown: boolean },
): Promise<Attachment[]> {
  const { status, allowedUploadFileTypes } = (config ?? {}) as FileUpload
  if (status !== true) throw refusal('files', 'This flow does not accept files. Turn on File Upload in its settings')
  if (files.length === 0) throw refusal('files', 'Send at least one file')
  const allowed = typeof allowedUploadFileTypes === 'string' ? typesOf(allowedUploadFileTypes) : undefined
  const read: Attachment[] = []
  let characters = 0
  for (const [index, file] of files.entries()) {
    const limits = isKnown ? LIMITS : anonymousLimits(file.size)
    const attachment = await readAttachment(file, { field: `files.${index}`, allowed, base64, limits })
    characters += attachment.content.length
    if (!base64 && characters > MAX_UPLOAD_CHARACTERS) throw tooMuchText()
    read.push(attachment)
  }
  return read
}

const tooMuchText = () =>
  refusal('files', `Files may have at most ${MAX_UPLOAD_CHARACTERS} characters in total. Send fewer or smaller files`)

const typesOf = (list: string) => list.split(',').map(plainMime).filter(Boolean)

interface ReadOptions {
  field: string
  allowed: string[] | undefined
  base64: boolean
  limits: ReadLimits
}

async function readAttachment(file: File, { field, allowed, base64, limits }: ReadOptions): Promise<Attachment> {
  const name = cleanName(file.name)
  const mimeType = plainMime(file.type) || 'text/plain'
  if (allowed && !allowed.includes(mimeType)) {
    throw refusal(field, `${field} (${name}): This flow accepts ${allowed.join(', ')}, not ${mimeType}`)
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const size = bytes.length
  const encoded = base64 ? btoa(binary(bytes)) : undefined
  const named = { name, type: file.type, mimeType, field, limits }
  const text = await textIn(bytes, named, base64 ? undefined : limits.chars)
  return { name, mimeType, size, content: encoded ?? text }
}

const LIMITS: ReadLimits = {
  bytes: MAX_UPLOAD_BYTES,
  pages: 500,
  chars: MAX_UPLOAD_CHARACTERS,
  documents: 20_000,
  unzippedBytes: 50_000_000,
}

/** What nobody answers for may not unpack to many times what was sent. */
const anonymousLimits = (bytes: number): ReadLimits => ({
  ...LIMITS,
  unzippedBytes: Math.min(LIMITS.unzippedBytes, Math.max(5_000_000, 4 * bytes)),
})

interface Named {
  name: string
  /** As declared. */
  type: string
  mimeType: string
  field: string
  limits: ReadLimits
}

/**
 * Texts are taken as they are; PDF and office files are read. Throws `bad_request` that says what is wrong with the file.
 * @param maxCharacters of a text
 */
async function textIn(
  bytes: Uint8Array,
  { name, type, mimeType, field, limits }: Named,
  maxCharacters: number | undefined,
): Promise<string> {
  if (isTextFile({ name, mime: type })) {
    const { text, problem } = textOfBytes(bytes, maxCharacters)
    if (text !== undefined) return text
    if (problem === 'too long') throw tooMuchText()
    throw refusal(field, `${field} (${name}): Cannot read text from ${mimeType}. Send ${TEXT_KINDS} in UTF-8`)
  }
  try {
    const { documents } = await readFile(bytes, { name, mime: type, division: 'file', mayTakeBytes: true }, limits)
    return documents.map(({ text }) => text).join('\n\n')
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    throw refusal(field, `${field} (${name}): ${error.message}`)
  }
}

/** One character for each byte. */
function binary(bytes: Uint8Array): string {
  const CHUNK = 8192
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK))
  }
  return text
}

const refusal = (field: string, message: string) => new HeddleError('bad_request', message, { field })
