import type { FlowUpsert } from '#contract/upserts.ts'

type Counts = Pick<FlowUpsert, 'numAdded' | 'numSkipped' | 'numDeleted'>

/** `12 documents added, 3 already there, 1 deleted`. */
export function describeCounts({ numAdded, numSkipped, numDeleted }: Counts): string {
  const added = `${numAdded.toLocaleString()} ${numAdded === 1 ? 'document' : 'documents'} added`
  const skipped = numSkipped > 0 && `${numSkipped.toLocaleString()} already there`
  const deleted = numDeleted > 0 && `${numDeleted.toLocaleString()} deleted`
  return [added, skipped, deleted].filter(Boolean).join(', ')
}
