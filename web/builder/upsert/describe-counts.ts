import type { UpsertProgress } from '#contract/runs/events.ts'
import type { FlowUpsertJob } from '#contract/upserts/upserts.ts'

type Counts = Pick<NonNullable<FlowUpsertJob['result']>, 'numAdded' | 'numSkipped' | 'numDeleted'>

/** `12 documents added, 3 already there, 1 deleted`. */
export function describeCounts({ numAdded, numSkipped, numDeleted }: Counts): string {
  const added = `${withCount(numAdded, 'document')} added`
  const skipped = numSkipped > 0 && `${numSkipped.toLocaleString()} already there`
  const deleted = numDeleted > 0 && `${numDeleted.toLocaleString()} deleted`
  return [added, skipped, deleted].filter(Boolean).join(', ')
}

/** `Reading: 3 files or pages`, then `120 of 400 chunks, 12,000 tokens`. */
export function describeProgress({ sources, chunks, done, tokens }: UpsertProgress): string {
  if (chunks === undefined) return sources === 0 ? 'Reading' : `Reading: ${withCount(sources, 'file or page')}`
  const counts = [`${done.toLocaleString()} of ${withCount(chunks, 'chunk')}`, tokens > 0 && withCount(tokens, 'token')]
  return counts.filter(Boolean).join(', ')
}

const withCount = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${count === 1 ? noun : noun.split(' ').map(plural).join(' ')}`

const plural = (word: string): string => (word === 'or' ? word : `${word}s`)
