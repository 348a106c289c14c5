/** Renewals of the leases of an isolate's waiting runs, together in one write. */
import { sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { executions } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse } from '#db/scope.ts'

export interface Renewal {
  executionId: string
  held: string
  next: string
  workSeconds: number
  /** Set once it is known: the run's state, or `failed` when the lease is another's or nothing could be written. */
  outcome?: string
}

/** Runs have that long to join a renewal. */
const GATHER_MS = 1000

let gathered: Renewal[] = []
let begunAt = 0

/** Returns true while a renewal waits for others to join. */
export const isGathering = (): boolean => gathered.length > 0

/** Adds a run to the next renewal. Its outcome is read from the object: a request must not wait for another one's promise. */
export function askForRenewal(renewal: Renewal, now: Date): Renewal {
  if (gathered.length === 0) begunAt = now.getTime()
  gathered.push(renewal)
  return renewal
}

/** Takes back what was not sent yet: the run has ended. */
export function withdrawRenewal(renewal: Renewal): void {
  gathered = gathered.filter((other) => other !== renewal)
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
