/** Changes of people and roles: what one is allowed by cannot change before it is done. */
import type { SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import { describePermissions, holdsAt, ORGANIZATION } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'
import { changeAtOnce } from '#db/unit-of-work.ts'
import { type AuditEntry, auditEvent } from '../../http/audit.ts'
import type { AppEnv, DirectoryActor, UserActor } from '../../http/route.ts'
import { type MemberRow, memberQueries, toMembers } from './members.ts'

export interface OrganizationChange {
  /** Its reads come before writes to the same table; see `changeAtOnce`. */
  tx: Database
  rows: ReturnType<typeof organizationScope>
  /** The person who makes the change, read as part of it; for a directory, the creator of its token. */
  actor: MemberRow
  members(userIds: readonly string[]): Promise<MemberRow[]>
  /** Records the event together with the change. */
  record(entry: Omit<AuditEntry, 'ofOrganization'>): Promise<void>
}

interface Change {
  actor: UserActor | DirectoryActor
  permission?: string
  adminsOnly?: true
}

/**
 * Runs a change of the actor's organization, which is written only while what it read still holds: of two people who
 * change each other the second one sees what the first one did. Throws `forbidden` when the actor no longer holds the
 * permission, or who made a directory's token no longer backs it; without a permission the actor must be an active member, or an
 * active admin where `adminsOnly`.
 */
export function changeOrganization<Result>(
  c: Context<AppEnv>,
  { actor, permission, adminsOnly }: Change,
  work: (change: OrganizationChange) => Promise<Result>,
): Promise<Result> {
  const { organizationId } = actor
  const userId = actor.kind === 'directory' ? actor.makerId : actor.userId
  const { db } = c.get('services')
  return changeAtOnce(db, async (handle) => {
    const tx = acrossOrganizations(handle, 'an event is written together with its change')
    const members = (userIds: readonly string[]) => readMembers(tx, organizationId, userIds)
    const [self] = await members([userId])
    if (actor.kind === 'directory') assertBacks(self)
    if (!self || self.disabledDate !== null)
      throw new HeddleError('forbidden', 'You don’t belong to this organization.')
    if (permission !== undefined && !holdsAt(self.standing, ORGANIZATION, permission)) {
      throw new HeddleError(
        'forbidden',
        `You are not allowed to do this. You need the permission ${describePermissions(permission)}.`,
      )
    }
    if (adminsOnly && !self.isAdmin) {
      throw new HeddleError('forbidden', 'You are not allowed to do this. Only admins of the organization may do it.')
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

/** True while somebody may stand behind a directory's token, which decides whose accounts people's are: an active admin. */
export const backsDirectory = (maker: MemberRow | undefined): boolean =>
  maker !== undefined && maker.disabledDate === null && maker.isAdmin

/** Throws `forbidden` for the maker of a token who does not back it any more. */
export function assertBacks(maker: MemberRow | undefined): void {
  if (backsDirectory(maker)) return
  const who = maker === undefined ? 'has left the organization' : 'is no active admin any more'
  throw new HeddleError('forbidden', `Who made this token ${who}. Make another one under Account > Single sign-on.`)
}

export async function readMembers(db: Database, organizationId: string, userIds: readonly string[]) {
  return toMembers(await db.batch(memberQueries(db, organizationId, userIds)))
}

/** Runs a statement that was built on another handle. */
export async function runIn(tx: Database, statement: unknown): Promise<void> {
  await tx.run((statement as { getSQL(): SQL }).getSQL())
}
