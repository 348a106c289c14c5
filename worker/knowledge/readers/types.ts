import type { SourceDocument } from '../types.ts'

/** The limits of a file. A file that exceeds them is refused, never cut silently. */
export interface ReadLimits {
  bytes: number
  pages: number
  /** Characters of text in all documents. */
  chars: number
  /** Rows and records. */
  documents: number
  unzippedBytes: number
}

/** Options for files of some formats. */
export interface ReadOptions {
  /** PDF and EPUB: one document for each page or chapter, or one for the file. */
  division?: 'part' | 'file'
  /** CSV: the only column to read. */
  column?: string
  /** JSON: which keys of a record become its text, as paths into it; all of them when empty. */
  keys?: string[]
  /** JSON Lines: the only key to read, as a path into the line. */
  lineKey?: string
  /** JSON: metadata that a record says itself, as paths into it. */
  recordMetadata?: Record<string, string>
}

export interface FileContent {
  documents: SourceDocument[]
  pages: number
}

/** A file whose format is known. */
export interface OpenFile {
  bytes: Uint8Array
  name: string
  /** Nobody needs the bytes afterwards, so that no copy of them is made. */
  mayTakeBytes: boolean
  limits: ReadLimits
  options: ReadOptions
}

/** Reads one format. Throws `UnreadableError`. */
export type FormatReader = (file: OpenFile) => FileContent | Promise<FileContent>
