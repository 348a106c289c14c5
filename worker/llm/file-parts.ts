/** Files in model messages: stored as references, replaced with their bytes when a model is called. */
import { docText, MAX_UPLOAD_BYTES, type StoredUpload } from '#contract/predictions/uploads.ts'
import type { FilePart, ModelMessage, TextPart } from '../models/messages.ts'
import type { Files } from '../ports/types.ts'

/** Cannot be confused with base64, which has no colon. */
const REFERENCE = 'file:'

export function fileReference({ id, mime, name, type }: StoredUpload): FilePart {
  const mediaType = type === 'stored-file:full' ? 'text/plain' : mime
  return { type: 'file', data: `${REFERENCE}${id}`, mediaType, filename: name }
}

/** Replaces file references with file contents, newest first. A file that was deleted or exceeds the size limit becomes a note. */
export async function withFiles(messages: readonly ModelMessage[], files: Files | undefined): Promise<ModelMessage[]> {
  let room = MAX_UPLOAD_BYTES
  const filled: ModelMessage[] = []
  for (const message of messages.toReversed()) {
    if (message.role !== 'user' || typeof message.content === 'string') {
      filled.push(message)
      continue
    }
    const content: typeof message.content = []
    for (const part of message.content) {
      const id = idOf(part)
      if (id === undefined) {
        content.push(part)
        continue
      }
      const file = part as FilePart
      const bytes = await files?.read(id)
      room -= bytes?.length ?? 0
      content.push(filePart(file, room < 0 ? undefined : bytes))
    }
    filled.push({ ...message, content })
  }
  return filled.toReversed()
}

function idOf(part: { type: string; data?: unknown }): string | undefined {
  const isReference = part.type === 'file' && typeof part.data === 'string' && part.data.startsWith(REFERENCE)
  return isReference ? (part.data as string).slice(REFERENCE.length) : undefined
}

function filePart(part: FilePart, bytes: Uint8Array | undefined): FilePart | TextPart {
  const name = part.filename ?? 'file'
  if (!bytes) return { type: 'text', text: `(${name} was attached here but is no longer available.)` }
  if (part.mediaType === 'text/plain') return { type: 'text', text: docText(name, new TextDecoder().decode(bytes)) }
  return { ...part, data: bytes }
}
