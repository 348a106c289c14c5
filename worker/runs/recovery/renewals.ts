/** A run's lease while it works: each of its writes renews it, and runs that only wait renew theirs together in one write. */
import { sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { executions } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse } from '#db/scope.ts'
import type { Clock } from '../../ports/types.ts'
import { createLease, leaseEnd, RENEW_MS, renewLease } from './lease.ts'

interface Renewal {
  executionId: string
  held: string
  next: string
  workSeconds: number
  /** Set once it is known: the run's state, or `failed` when the lease is another's or nothing could be written. */
  outcome?: string
}

/** Runs have that long to join a renewal, if their lease is that old. */
const GATHER_MS = 1000
const JOIN_MS = RENEW_MS / 2

let gathered: Renewal[] = []
let begunAt = 0

interface LeaseOptions {
  db: Database
  clock: Clock
  executionId: string
  /** The lease under which the execution row was written. */
  lease: string
  /** Seconds of work in earlier attempts. */
  secondsBefore: number
}

export function holdLease({ db, clock, executionId, lease, secondsBefore }: LeaseOptions) {
  const begun = clock.now().getTime()
  let held = lease
  let renewedAt = begun
  /** A renewal with others. Its outcome is read from it: a request must not wait for another one's promise. */
  let asked: Renewal | undefined
  let isRenewing = false

  const workSeconds = (now: Date) => secondsBefore + (now.getTime() - begun) / 1000

  function holdUntil(next: string, now: Date): void {
    held = next
    renewedAt = now.getTime()
    asked = undefined
    isRenewing = false
  }

  function ask(now: Date): void {
    if (gathered.length === 0) begunAt = now.getTime()
    asked = { executionId, held, next: createLease(now), workSeconds: workSeconds(now) }
    gathered.push(asked)
  }

  return {
    isHeld: () => clock.now().getTime() < leaseEnd(held),
    /** Returns the first statement of a write, and what to call once it is done. */
    renewAlone(now: Date) {
      isRenewing = true
      const next = createLease(now)
      const run = { executionId, held, asked: asked?.next, next, now, workSeconds: workSeconds(now) }
      return { statement: renewLease(db, run), done: () => holdUntil(next, now) }
    },
    /**
     * A waiting run calls this all the time. Returns the run's state once the lease was renewed, and `failed` when the run
     * must renew it alone.
     */
    renewTogether(now: Date): string | undefined {
      if (isRenewing) return undefined
      const waitedMs = now.getTime() - renewedAt
      if (!asked) {
        if (waitedMs >= (gathered.length > 0 ? JOIN_MS : RENEW_MS)) ask(now)
        return undefined
      }
      const { outcome, next } = asked
      if (outcome === 'failed' || waitedMs >= 2 * RENEW_MS) return 'failed'
      if (outcome) holdUntil(next, now)
      return outcome
    },
    /** Takes back what was not sent yet. */
    close() {
      gathered = gathered.filter((renewal) => renewal !== asked)
    },
  }
}

/** Each run calls this all the time; the first one after the time to join writes for all. */
export async function sendRenewals(db: Database, now: Date): Promise<void> {
  if (gathered.length === 0 || now.getTime() - begunAt < GATHER_MS) return
  const all = gathered
  gathered = []
  const renewed = await renewAll(db, all, now).catch(() => new Map<string, string>())
  for (const renewal of all) renewal.outcome = renewed.get(renewal.executionId) ?? 'failed'
}

/** Returns the state of each run whose lease was renewed, by its id. */
async function renewAll(db: Database, all: readonly Renewal[], now: Date): Promise<Map<string, string>> {
  const given = sql`json_each(${JSON.stringify(all)})`
  const own = (key: keyof Renewal) => sql`(
    select value ->> ${`$.${key}`} from ${given} where value ->> '$.executionId' = ${executions.id}
  )`
  const isHeld = sql`(${executions.id}, ${executions.leaseExpiresDate}) in (
    select value ->> '$.executionId', value ->> '$.held' from ${given}
  )`
  const rows = await acrossWorkspaces(db, 'an isolate renews the leases that it holds')
    .update(executions)
    .set({
      leaseExpiresDate: own('next') as never,
      workSeconds: own('workSeconds') as never,
      updatedDate: now.toISOString(),
    })
    .where(sql`${isHeld} and ${isInUse(executions.workspaceId)}`)
    .returning({ id: executions.id, state: executions.state })
  return new Map(rows.map(({ id, state }) => [id, state]))
}
