/** The fields of the dialog of a chunk, and what is sent of them. Pure. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { DocumentChunk, UpdateChunk } from '#contract/document-stores/chunks.ts'
import { MAX_CHUNK_CHARS } from '#contract/document-stores/limits.ts'
import { type FormErrors, fieldErrors } from '../../../ui/forms/form-errors.ts'

export interface ChunkFields {
  pageContent: string
  /** JSON text. */
  metadata: string
}

export const fieldsOf = ({ pageContent, metadata }: Pick<DocumentChunk, 'pageContent' | 'metadata'>): ChunkFields => ({
  pageContent,
  metadata: JSON.stringify(parseMetadata(metadata), null, 2),
})

/** Returns the metadata of a stored chunk; an unreadable text counts as none. */
function parseMetadata(text: string): Record<string, unknown> {
  const value = tryParseJson(text)
  return isRecord(value) ? value : {}
}

export function checkChunk({ pageContent, metadata }: ChunkFields): FormErrors {
  return fieldErrors({
    pageContent:
      (pageContent.trim() === '' && 'A chunk can’t be empty. Switch it off or delete it instead.') ||
      (pageContent.length > MAX_CHUNK_CHARS &&
        `A chunk holds at most ${MAX_CHUNK_CHARS.toLocaleString('en')} characters. Shorten the text.`),
    metadata: !isRecord(tryParseJson(metadata)) && 'Enter a JSON object, such as {"source": "handbook.pdf"}.',
  })
}

/** Returns only what changed: an edit of the metadata leaves the text to the next refresh. */
export function changeOf(chunk: Pick<DocumentChunk, 'pageContent' | 'metadata'>, fields: ChunkFields): UpdateChunk {
  const metadata = parseMetadata(fields.metadata)
  return {
    ...(fields.pageContent !== chunk.pageContent && { pageContent: fields.pageContent }),
    ...(JSON.stringify(metadata) !== JSON.stringify(parseMetadata(chunk.metadata)) && { metadata }),
  }
}

/** `page 3 · Introduction`: what a card shows of the metadata besides the file's name. */
export function metadataLine(text: string): string {
  const { page, loc, title, headings } = parseMetadata(text)
  const pageNumber = page ?? (isRecord(loc) ? loc.pageNumber : undefined)
  const heading = [headings, title].find((each) => typeof each === 'string' && each !== '')
  return [typeof pageNumber === 'number' ? `page ${pageNumber}` : '', heading ?? ''].filter(Boolean).join(' · ')
}
