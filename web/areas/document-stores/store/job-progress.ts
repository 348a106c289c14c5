/** Progress of a job. Pure. */
import { formatCount } from '#contract/data/format.ts'
import type { DocumentJob } from '#contract/document-stores/jobs.ts'
import { formatCost } from '../../../ui/format.ts'
import { withCount } from '../shared/with-count.ts'

export interface JobProgress {
  /** What is being done: `Reading 3 of 12 files`. */
  title: string
  /** 0 to 100; undefined until the work is counted. */
  percent: number | undefined
  figures: { label: string; value: string }[]
}

/** Seconds below which a rate says nothing. */
const MIN_RATE_SECONDS = 2

export function progressOf(job: DocumentJob, now: number): JobProgress {
  return { title: describeState(job), percent: percentOf(job), figures: listFigures(job, now) }
}

function describeState({ kind, state, filesTotal, filesDone, chunksTotal, chunksDone }: DocumentJob): string {
  if (state === 'queued') return 'Waiting to start'
  if (kind === 'clean') return 'Removing vectors'
  if (kind === 'index') return `Indexing: ${withCount(chunksDone, 'chunk')} ready for keyword search`
  if (kind !== 'upsert' && (filesTotal === 0 || filesDone < filesTotal)) {
    if (filesTotal === 0) return 'Looking for files and pages'
    return `Reading ${formatCount(filesDone)} of ${withCount(filesTotal, 'file')}`
  }
  if (chunksTotal > chunksDone) return `Embedding ${formatCount(chunksDone)} of ${withCount(chunksTotal, 'chunk')}`
  return 'Finishing'
}

/** Reading and embedding are halves of a job that does both. */
function percentOf({ kind, filesTotal, filesDone, chunksTotal, chunksDone }: DocumentJob): number | undefined {
  if (kind === 'index') return undefined
  const embedded = partOf(chunksDone, chunksTotal)
  if (kind === 'upsert') return embedded
  const read = partOf(filesDone, filesTotal)
  if (read === undefined || kind === 'process') return read
  return (read + (read < 100 ? 0 : (embedded ?? 100))) / 2
}

const partOf = (done: number, total: number) => (total > 0 ? Math.min(100, (done / total) * 100) : undefined)

function listFigures(job: DocumentJob, now: number): JobProgress['figures'] {
  const { filesTotal, filesDone, filesFailed, pages, chunksTotal, chunksDone, tokens, cost } = job
  const failed = filesFailed > 0 ? `, ${formatCount(filesFailed)} failed` : ''
  const rate = rateOf(job, now)
  return [
    ...(filesTotal > 0
      ? [{ label: 'Files', value: `${formatCount(filesDone)} of ${formatCount(filesTotal)}${failed}` }]
      : []),
    ...(pages > 0 ? [{ label: 'Pages', value: formatCount(pages) }] : []),
    ...(chunksTotal > 0
      ? [{ label: 'Chunks', value: `${formatCount(chunksDone)} of ${formatCount(chunksTotal)}` }]
      : []),
    ...(tokens > 0 ? [{ label: 'Tokens', value: formatCount(tokens) }] : []),
    ...(tokens > 0 ? [{ label: 'Cost', value: cost === null ? 'Unknown' : formatCost(cost) }] : []),
    ...(rate ? [{ label: 'Rate', value: rate }] : []),
  ]
}

/** Returns chunks a second, or files where no chunks are counted; undefined while it says nothing. */
function rateOf({ startedDate, chunksDone, filesDone, state }: DocumentJob, now: number): string | undefined {
  if (startedDate === null || state !== 'running') return undefined
  const seconds = (now - Date.parse(startedDate)) / 1000
  const [count, noun] = chunksDone > 0 ? [chunksDone, 'chunks'] : [filesDone, 'files']
  if (count === 0 || seconds < MIN_RATE_SECONDS) return undefined
  const rate = count / seconds
  return rate >= 1 ? `${formatCount(Math.round(rate))} ${noun}/s` : `${formatCount(Math.round(rate * 60))} ${noun}/min`
}
