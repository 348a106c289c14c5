/** Texts that are read as they are. */
import type { SourceDocument } from '../types.ts'
import { decodeText } from './decoded-text.ts'
import { collectDocuments } from './limits.ts'
import type { FormatReader } from './types.ts'

const readAs =
  (format: SourceDocument['format']): FormatReader =>
  (file) => {
    const { documents, add } = collectDocuments(file)
    add(decodeText(file), format)
    return { documents, pages: 1 }
  }

export const readText = readAs('text')
export const readMarkdown = readAs('markdown')
export const readCode = readAs('code')
