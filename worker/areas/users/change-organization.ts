/** Changes of people and roles: what one is allowed by cannot change before it is done. */
import type { SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import { holdsAt, ORGANIZATION } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'
import { type AuditEntry, auditEvent } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { type MemberRow, memberQueries, toMembers } from './members.ts'

export interface OrganizationChange {
  tx: Database
  rows: ReturnType<typeof organizationScope>
  /** Who makes the change, as the transaction sees them. */
  actor: MemberRow
  members(userIds: readonly string[]): Promise<MemberRow[]>
  /** Records the event together with the change. */
  record(entry: Omit<AuditEntry, 'ofOrganization'>): Promise<void>
}

/**
 * Runs a change of the actor's organization in one write transaction, so that of two people who change each other the
 * second one sees what the first one did. Throws `forbidden` when the actor no longer holds the permission; without one
 * they must be an active member.
 */
export function changeOrganization<Result>(
  c: Context<AppEnv>,
  { actor, permission }: { actor: UserActor; permission?: string },
  work: (change: OrganizationChange) => Promise<Result>,
): Promise<Result> {
  const { organizationId, userId } = actor
  const { db } = c.get('services')
  const across = acrossOrganizations(db, 'an event is written in the transaction of its change')
  return across.transaction(async (transaction) => {
    const tx = transaction as unknown as Database
    const members = (userIds: readonly string[]) => readMembers(tx, organizationId, userIds)
    const [self] = await members([userId])
    if (!self || self.disabledDate !== null)
      throw new HeddleError('forbidden', 'You don’t belong to this organization.')
    if (permission !== undefined && !holdsAt(self.standing, ORGANIZATION, permission)) {
      throw new HeddleError('forbidden', `You are not allowed to do this. You need the permission ${permission}.`)
    }
    return work({
      tx,
      rows: organizationScope(tx, { organizationId }),
      actor: self,
      members,
      record: (entry) => runIn(tx, auditEvent(c, actor, { ...entry, ofOrganization: true })),
    })
  })
}

/** Reads members one statement after the other, as transactions do. */
export async function readMembers(tx: Database, organizationId: string, userIds: readonly string[]) {
  const [members, assignments] = memberQueries(tx, organizationId, userIds)
  return toMembers([await members, await assignments])
}

/** Runs a statement that was built on another handle. */
export async function runIn(tx: Database, statement: unknown): Promise<void> {
  await tx.run((statement as { getSQL(): SQL }).getSQL())
}
