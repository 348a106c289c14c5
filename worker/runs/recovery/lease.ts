/** A run belongs to the worker that holds its lease; a worker that lost it can no longer write the run. */
import { eq, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { prepareStatement, slot } from '#db/prepared-statement.ts'
import { executions } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse } from '#db/scope.ts'

const LEASE_MS = 30_000

/** A lease is renewed that long after the last write: two renewals may fail before it ends. */
export const RENEW_MS = LEASE_MS / 3

/** Returns when a lease ends, in milliseconds since 1970. */
export const leaseEnd = (lease: string): number => Date.parse(lease.slice(0, lease.indexOf('#')))

/** Returns a new lease. Random digits keep two leases of one millisecond apart. */
export function createLease(now: Date): string {
  const nonce = crypto.getRandomValues(new Uint16Array(1))[0] as number
  return `${new Date(now.getTime() + LEASE_MS).toISOString()}#${nonce}`
}

const renewal = prepareStatement((db) =>
  acrossWorkspaces(db, 'a worker renews the lease of the run that it holds')
    .update(executions)
    .set({
      leaseExpiresDate: slot('next'),
      workSeconds: sql`${sql.placeholder('workSeconds')}`,
      updatedDate: sql`case when ${executions.leaseExpiresDate} in (${slot('held')}, ${slot('asked')}) and ${isInUse(executions.workspaceId)} then ${slot('now')} end`,
    })
    .where(eq(executions.id, slot('executionId')))
    .returning({ state: executions.state }),
)

/**
 * The first statement of every write of a run. It renews the lease and returns the run's state. When the lease was lost
 * or the workspace deleted, the whole batch fails: null is written to a column that refuses it.
 *
 * @param run.asked the lease of a renewal whose outcome is not known
 */
export function renewLease(
  db: Database,
  run: { executionId: string; held: string; asked?: string | undefined; next: string; now: Date; workSeconds: number },
) {
  return renewal(db, { ...run, asked: run.asked ?? run.held, now: run.now.toISOString() })
}
