/** Collects the documents of a file and refuses what exceeds its limits as soon as it does. */
import { type SourceDocument, UnreadableError } from '../types.ts'
import type { OpenFile } from './types.ts'

export interface DocumentCollector {
  documents: SourceDocument[]
  /** Leaves out empty texts. @throws UnreadableError when the file holds too much */
  add(text: string, format: SourceDocument['format'], metadata?: Record<string, unknown>): void
  /** Asks while a text is read that is not added yet. @throws UnreadableError when it is already too long */
  assertRoomFor(chars: number): void
}

export function collectDocuments({ name, limits }: OpenFile): DocumentCollector {
  const documents: SourceDocument[] = []
  let chars = 0
  const assertRoomFor = (more: number) => {
    if (chars + more > limits.chars) throw new UnreadableError(tooMuchText(limits.chars))
  }
  return {
    documents,
    assertRoomFor,
    add(text, format, metadata = {}) {
      assertRoomFor(text.length)
      chars += text.length
      if (documents.length === limits.documents)
        throw new UnreadableError(`This file has more than ${limits.documents} records. Divide it into smaller files.`)
      if (text.trim() !== '') documents.push({ text, format, metadata: { source: name, ...metadata } })
    },
  }
}

export const tooMuchText = (chars: number) =>
  `This file has more than ${chars} characters of text. Divide it into smaller files.`
