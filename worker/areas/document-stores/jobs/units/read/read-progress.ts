/** The results of reading a few sources, before they are written. */
import type { SearchIndex } from '#db/search-index/types.ts'
import type { SourceContent } from '../../../../../knowledge/types.ts'
import type { JobContext } from '../../job-context.ts'
import type { OpenLoader } from '../../open-components.ts'
import type { SourceRow } from '../../rows/job-rows.ts'
import type { ReadPiece } from './cut-documents.ts'

/** A source as it was found just now. */
export interface ReadSource {
  source: SourceRow
  /** What it says; absent: it is the same as before, gone, or was not read. */
  content?: SourceContent
  pieces: ReadPiece[]
  state: 'read' | 'same' | 'gone' | 'failed'
  /** Why it was not read. */
  error: string | null
}

export interface Reading {
  task: JobContext
  opened: OpenLoader
  searchIndex: SearchIndex
  /** Its sources are stored files; those of others are asked for over the network. */
  readsFiles: boolean
  /** Sources that were asked for and have not been read yet. */
  ahead: SourceRow[]
}
