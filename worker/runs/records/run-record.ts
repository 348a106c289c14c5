/**
 * Writes a run's rows: its execution, its steps (the log), its end. Writes happen behind the run, in order, one batch at
 * a time. Each begins by renewing the lease, so that a run whose lease was lost stops.
 */
import type { BatchItem } from 'drizzle-orm/batch'
import type { Database } from '#db/client.ts'
import type { StepLog, StepRow, Withheld } from '../../engine/types.ts'
import type { Clock } from '../../ports/types.ts'
import { lookForCancellations } from '../recovery/cancellations.ts'
import { holdLease, sendRenewals } from '../recovery/renewals.ts'
import { isCancellationRequested } from '../running.ts'
import type { KnownTexts } from './run-texts.ts'
import { stepStatements } from './step-statements.ts'
import { writeWhile } from './write-while.ts'

export type Statement = BatchItem<'sqlite'>

export interface RunRecord extends StepLog {
  /** Writes pending steps together with these statements. Rejects when they cannot be written. */
  write(statements: Statement[]): Promise<void>
  /** The caller has heard something of this run, so its rows are stored soon. */
  openSoon(): void
  /** Returns true when the rows of a new run are stored; until then the run leaves no trace. */
  isOpen(): boolean
  /** Stops renewing the lease. */
  close(): void
}

interface RecordOptions {
  db: Database
  clock: Clock
  executionId: string
  /** The lease under which the execution row was written. */
  lease: string
  /** Inserts the rows of a new run; written first. */
  opening?: Statement[]
  /** They may wait for the first barrier, for what the caller hears first, for the end, or for a second. */
  opensLate?: boolean
  /** Seconds of work in earlier attempts. */
  secondsBefore: number
  /** Encrypts what a row withholds; returns null when that is nothing. */
  seal(withheld: Withheld | undefined): Promise<string | null>
  /** The run was cancelled. */
  onStop(): void
  /** The run must stop: its rows cannot be written. */
  onLost(reason: unknown): void
}

const POLL_MS = 100
/** Steps, and the rows of a run that opens late, wait that long for a write. */
const WRITE_MS = 1000
/** The rows of a run that opens late are stored by then. */
export const OPENS_WITHIN_MS = WRITE_MS + 2 * POLL_MS

export function createRunRecord(options: RecordOptions): RunRecord {
  const { db, clock, executionId } = options
  const lease = holdLease(options)
  let pending: StepRow[] = []
  let lastWrite = clock.now().getTime()
  let chain = Promise.resolve()
  let unopened = options.opening
  let isStored = !unopened
  let isHeard = false
  const known: KnownTexts = new Map()

  /** A write that has not begun: it includes every step that is pending by then. */
  let queued: Promise<void> | undefined

  async function commit(statements: Statement[]): Promise<void> {
    const rows = pending
    pending = []
    queued = undefined
    const opening = unopened ?? []
    unopened = undefined
    const now = clock.now()
    const renewal = opening.length === 0 || statements.length > 0 ? lease.renewAlone(now) : undefined
    const sealed = await Promise.all(rows.map(async (row) => ({ ...row, sealed: await options.seal(row.withheld) })))
    const steps = stepStatements(db, { executionId, rows: sealed, known, now: now.toISOString() })
    const all: Statement[] = [...opening, ...(renewal ? [renewal.statement] : []), ...steps, ...statements]
    const answers = await writeWhile(lease.isHeld, db, all)
    isStored = true
    lastWrite = now.getTime()
    if (!renewal) return
    renewal.done()
    // The next renewal tells whether the run was cancelled.
    if (!answers) return
    const [state] = answers[opening.length] as Awaited<typeof renewal.statement>
    if (!state) throw new Error('The run was deleted')
    if (state.state === 'TERMINATED') options.onStop()
  }

  function write(statements: Statement[]): Promise<void> {
    const written = chain.then(() => commit(statements))
    chain = written
    queued ??= written
    written.catch(options.onLost)
    return written
  }

  if (unopened && !options.opensLate) write([])

  const timer = setInterval(() => {
    const now = clock.now()
    if (isCancellationRequested(executionId)) options.onStop()
    lookForCancellations(db, now)
    sendRenewals(db, now)
    if (queued) return
    const isIdle = !unopened && pending.length === 0
    const state = isIdle ? lease.renewTogether(now) : undefined
    if (state === 'TERMINATED') options.onStop()
    const isDue = isIdle ? state === 'failed' : (unopened && isHeard) || now.getTime() - lastWrite >= WRITE_MS
    if (!isDue) return
    lastWrite = now.getTime()
    write([])
  }, POLL_MS)

  return {
    append(row) {
      pending.push(row)
    },
    barrier: () => (pending.length === 0 && !unopened ? chain : (queued ?? write([]))),
    write,
    openSoon() {
      isHeard = true
    },
    isOpen: () => isStored,
    close() {
      clearInterval(timer)
      lease.close()
    },
  }
}
