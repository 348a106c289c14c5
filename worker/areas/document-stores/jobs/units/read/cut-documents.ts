/** Cuts what was read of a source into pieces, with everything that its chunks store. */
import type { NewPiece } from '#contract/document-stores/chunk-changes.ts'
import { embeddedText, HEADING_SEPARATOR } from '#contract/document-stores/embedded-text.ts'
import { countTokens } from '#contract/document-stores/tokens.ts'
import { chunkHash } from '../../../../../knowledge/chunk-hash.ts'
import { splitDocument } from '../../../../../knowledge/splitters/index.ts'
import type { SourceContent } from '../../../../../knowledge/types.ts'
import { type JobContext, parseConfig } from '../../job-context.ts'
import type { LoaderRow, SourceRow } from '../../rows/job-rows.ts'
import { createYield } from '../../work-budget.ts'

export interface ReadPiece extends NewPiece {
  tokens: number
}

export async function cutDocuments(
  { documents }: SourceContent,
  loader: LoaderRow,
  { task, source }: { task: JobContext; source: SourceRow },
): Promise<ReadPiece[]> {
  const config = parseConfig(loader.splitterConfig)
  const yieldAfter = createYield(task.services.clock)
  const pieces: ReadPiece[] = []
  for (const document of documents) {
    for (const { text, headings: path } of splitDocument(document, loader.splitterId, config)) {
      await yieldAfter(text.length)
      const headings = path.join(HEADING_SEPARATOR)
      const metadata = {
        ...{ source: source.name, ...document.metadata, ...(headings !== '' && { headings }) },
        ...{ ...task.job.request.metadata, docId: loader.id },
      }
      pieces.push({
        ...{ text, headings, metadata: JSON.stringify(metadata), hash: chunkHash(headings, text) },
        tokens: countTokens(embeddedText(headings, text)),
      })
    }
  }
  return pieces
}
