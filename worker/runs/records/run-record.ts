/**
 * Writes a run's rows: its execution, its steps (the log), its end. Writes happen behind the run, in order, one batch at
 * a time. Each begins by renewing the lease, so that a run whose lease was lost stops.
 */
import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { TraceItem } from '#contract/runs/events.ts'
import type { Database } from '#db/client.ts'
import { executionSteps } from '#db/schema/index.ts'
import type { StepLog, StepRow, Withheld } from '../../engine/types.ts'
import type { Clock } from '../../ports/types.ts'
import { isCancellationRequested } from '../cancellation.ts'
import { createLease, renewLease } from '../recovery/lease.ts'
import { withoutCredentialIds } from './credential-ids.ts'

export type Statement = BatchItem<'sqlite'>

export interface RunRecord extends StepLog {
  /** Writes pending steps together with these statements. Rejects when they cannot be written. */
  write(statements: Statement[]): Promise<void>
  /** Stops renewing the lease. */
  close(): void
}

export interface RecordOptions {
  db: Database
  clock: Clock
  executionId: string
  /** The lease under which the execution row was written. */
  lease: string
  /** Inserts the rows of a new run; written first. */
  opening?: Statement[]
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
const RENEW_MS = 1000

export function createRunRecord(options: RecordOptions): RunRecord {
  const { db, clock, executionId } = options
  let held = options.lease
  let pending: StepRow[] = []
  const begun = clock.now().getTime()
  let lastWrite = begun
  let chain: Promise<void> = options.opening ? commit(options.opening) : Promise.resolve()
  chain.catch(options.onLost)

  /** A write that has not begun: it includes every step that is pending by then. */
  let queued: Promise<void> | undefined

  async function commit(statements: Statement[]): Promise<void> {
    await db.batch(statements as [Statement, ...Statement[]])
    lastWrite = clock.now().getTime()
  }

  async function renewAndCommit(statements: Statement[]): Promise<void> {
    const rows = pending
    pending = []
    queued = undefined
    const now = clock.now()
    const next = createLease(now)
    const workSeconds = options.secondsBefore + (now.getTime() - begun) / 1000
    const renewal = renewLease(db, { executionId, held, next, now, workSeconds })
    const sealed = await Promise.all(rows.map(async (row) => ({ ...row, sealed: await options.seal(row.withheld) })))
    const steps = rows.length > 0 ? [insertSteps(db, executionId, sealed)] : []
    const [states] = await db.batch([renewal, ...steps, ...statements])
    held = next
    lastWrite = now.getTime()
    if (!states[0]) throw new Error('The run was deleted')
    if (states[0].state === 'TERMINATED') options.onStop()
  }

  function write(statements: Statement[]): Promise<void> {
    const written = chain.then(() => renewAndCommit(statements))
    chain = written
    queued ??= written
    written.catch(options.onLost)
    return written
  }

  const timer = setInterval(() => {
    if (isCancellationRequested(executionId)) options.onStop()
    if (clock.now().getTime() - lastWrite < RENEW_MS) return
    lastWrite = clock.now().getTime()
    write([])
  }, POLL_MS)

  return {
    append(row) {
      pending.push(row)
    },
    barrier: () => (pending.length === 0 ? chain : (queued ?? write([]))),
    write,
    close: () => clearInterval(timer),
  }
}

function insertSteps(db: Database, executionId: string, rows: StepRow[]) {
  return db.insert(executionSteps).values(
    rows.map(({ withheld: _, ...row }) => ({
      ...row,
      executionId,
      item: sql<TraceItem>`${withoutCredentialIds(row.item)}`,
    })),
  )
}
