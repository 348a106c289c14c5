/** Invitations into an organization: each for one address, for seven days, once. */
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Context } from 'hono'
import { mayGiveRole, ORGANIZATION } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import { TOKEN_SECONDS } from '#contract/organization/emails.ts'
import type { Invitation, Invite, InviteChoices, SentInvitation } from '#contract/organization/members.ts'
import type { Database } from '#db/client.ts'
import { invitations, organizationMembers, organizations, users } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { assertCanSendEmail, countEmail, queueEmail, withdrawEmails } from '../../emails/queue.ts'
import { emailLink, makeToken } from '../../emails/tokens.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { changeOrganization, memberQueries, type OrganizationChange, toMembers } from '../users/index.ts'
import { type Givable, givableQueries, grantProblem, isBacked, readGivable } from './grants.ts'

type InvitationRow = typeof invitations.$inferSelect

const notFound = (id: string) => new HeddleError('not_found', `Invitation ${id} not found`)
const isOpen = and(isNull(invitations.acceptedDate), isNull(invitations.revokedDate))

/** Invitations that nobody has accepted or withdrawn, the latest first. */
export async function listInvitations({ db, clock }: Services, { organizationId }: UserActor): Promise<Invitation[]> {
  const rows = organizationScope(db, { organizationId })
  const found = (await rows
    .select(invitations, isOpen)
    .orderBy(desc(invitations.createdDate), desc(invitations.id))) as InvitationRow[]
  if (found.length === 0) return []
  const inviterIds = [...new Set(found.map(({ invitedBy }) => invitedBy))]
  const inviters = toMembers(await db.batch(memberQueries(db, organizationId, inviterIds)))
  const givable = await readGivable(db, organizationId)
  const now = clock.now().toISOString()
  return found.map((row) => {
    const inviter = inviters.find(({ id }) => id === row.invitedBy)
    const state = row.expiresDate <= now ? 'expired' : isBacked(inviter, row, givable) ? 'pending' : 'void'
    return { ...toInvitation(row, givable), invitedBy: { id: row.invitedBy, name: inviter?.name ?? '–' }, state }
  })
}

function toInvitation(row: InvitationRow, { roles, workspaces }: Givable) {
  const named = (list: readonly { id: string; name: string }[], id: string | null) => {
    const found = list.find((each) => each.id === id)
    return found ? { id: found.id, name: found.name } : null
  }
  const { id, email, createdDate, expiresDate } = row
  return {
    ...{ id, email, createdDate, expiresDate },
    role: named(roles, row.roleId),
    workspaces: row.workspaces.flatMap(({ workspaceId, roleId }) => {
      const workspace = named(workspaces, workspaceId)
      return workspace ? [{ ...workspace, role: named(roles, roleId) }] : []
    }),
  }
}

/** Roles that the caller may grant in the organization and in each workspace. */
export async function listChoices({ db }: Pick<Services, 'db'>, actor: UserActor): Promise<InviteChoices> {
  const { organizationId, userId } = actor
  const [members, assignments, found, workspaces] = await db.batch([
    ...memberQueries(db, organizationId, [userId]),
    ...givableQueries(db, organizationId),
  ])
  const [member] = toMembers([members, assignments])
  const roles = found as Givable['roles']
  const givenAt = (place: string) =>
    roles.filter((role) => member && mayGiveRole(member.standing, role, place)).map(({ id, name }) => ({ id, name }))
  return {
    roles: givenAt(ORGANIZATION),
    workspaces: workspaces
      .map(({ id, name }) => ({ id, name, roles: givenAt(id) }))
      .filter(({ roles }) => roles.length > 0),
  }
}

/** Throws `conflict` for members and for who is invited already, `bad_request` for what the inviter may not give. */
export async function invite(c: Context<AppEnv>, actor: UserActor, given: Invite): Promise<SentInvitation> {
  await assertSendable(c.get('services'), given.email)
  return sendBehind(c, () =>
    changePeople(c, actor, async (change) => {
      const now = c.get('services').clock.now()
      await assertNew(change, given.email, now)
      await assertGrantable(change, given)
      const id = crypto.randomUUID()
      await change.rows.insert(invitations, {
        ...{ id, ...given, invitedBy: actor.userId, expiresDate: expiryOf(now), createdDate: now.toISOString() },
      })
      const { email, ...gives } = given
      await change.record({ event: 'invitation.create', target: { id, name: email }, change: gives })
      return { id, link: await deliver(c.get('services'), change, { id, email }) }
    }),
  )
}

/** Sends it again for another seven days. Whoever does so is its inviter from then on; older links no longer work. */
export async function resendInvitation(c: Context<AppEnv>, actor: UserActor, id: string): Promise<SentInvitation> {
  const rows = organizationScope(c.get('services').db, actor)
  const [found] = (await rows.select(invitations, and(eq(invitations.id, id), isOpen))) as InvitationRow[]
  if (!found) throw notFound(id)
  await assertSendable(c.get('services'), found.email)
  return sendBehind(c, () =>
    changePeople(c, actor, async (change) => {
      const { email } = await readOpen(change, id)
      await assertGrantable(change, found)
      const expiresDate = expiryOf(c.get('services').clock.now())
      await change.rows.update(invitations, eq(invitations.id, id), { invitedBy: actor.userId, expiresDate })
      await change.record({ event: 'invitation.resend', target: { id, name: email } })
      return { id, link: await deliver(c.get('services'), change, { id, email }) }
    }),
  )
}

export function revokeInvitation(c: Context<AppEnv>, actor: UserActor, id: string) {
  return changePeople(c, actor, async (change) => {
    const services = { ...c.get('services'), db: change.tx }
    const { email } = await readOpen(change, id)
    const revokedDate = services.clock.now().toISOString()
    await change.rows.update(invitations, eq(invitations.id, id), { revokedDate })
    for (const statement of withdrawEmails(services, { kind: 'invite', subject: id })) await statement
    await change.record({ event: 'invitation.revoke', target: { id, name: email } })
    return { raw: [], affected: 1 }
  })
}

const changePeople = <Result>(
  c: Context<AppEnv>,
  actor: UserActor,
  work: (change: OrganizationChange) => Promise<Result>,
) => changeOrganization(c, { actor, permission: 'users:manage' }, work)

/** In cloud only the addressee sees the link. Elsewhere the inviter hands it over when no mail service does. */
const isHandedOver = ({ mail, config }: Services) => config.platformType !== 'cloud' && !mail.isConfigured

async function assertSendable(services: Services, email: string): Promise<void> {
  if (isHandedOver(services)) return
  assertCanSendEmail(services)
  await countEmail(services, email)
}

async function sendBehind(c: Context<AppEnv>, send: () => Promise<SentInvitation>): Promise<SentInvitation> {
  const sent = await send()
  if (!isHandedOver(c.get('services'))) sendEmailsLater(c)
  return sent
}

/** Queues the email, or returns the link's path. Earlier emails and links no longer work. */
async function deliver(
  services: Services,
  { tx, rows, actor }: OrganizationChange,
  { id, email }: { id: string; email: string },
): Promise<string | null> {
  const within = { ...services, db: tx }
  for (const statement of withdrawEmails(within, { kind: 'invite', subject: id })) await statement
  if (isHandedOver(services)) {
    // No address: the link proves nothing about who reads the mail of the invited one.
    const { token, statements } = makeToken(within, { kind: 'invite', address: '', userId: null, subject: id })
    for (const statement of statements) await statement
    return emailLink('', 'invite', token)
  }
  const organization = await findName(tx, rows.organizationId)
  await queueEmail(within, {
    ...{ kind: 'invite', address: email, subject: id },
    names: { inviter: actor.name, organization },
  })
  return null
}

async function findName(tx: Database, organizationId: string): Promise<string> {
  const [row] = await tx
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.name ?? ''
}

const expiryOf = (now: Date) => new Date(now.getTime() + (TOKEN_SECONDS.invite ?? 0) * 1000).toISOString()

async function readOpen({ rows }: OrganizationChange, id: string): Promise<InvitationRow> {
  const [found] = await rows.select(invitations, and(eq(invitations.id, id), isOpen))
  if (!found) throw notFound(id)
  return found as InvitationRow
}

async function assertNew({ tx, rows }: OrganizationChange, email: string, now: Date): Promise<void> {
  const [member] = await tx
    .select({ id: users.id })
    .from(organizationMembers)
    .innerJoin(users, eq(users.id, organizationMembers.userId))
    .where(rows.inOrganization(organizationMembers, eq(users.email, email)))
  if (member) throw emailConflict('This person is a member already', 'already_member')
  const isCurrent = and(eq(invitations.email, email), isOpen, gt(invitations.expiresDate, now.toISOString()))
  const [invited] = await rows.select(invitations, isCurrent).limit(1)
  if (invited)
    throw emailConflict('This person is invited already. Send that invitation again, or revoke it', 'already_invited')
}

const emailConflict = (message: string, error: string) =>
  new HeddleError('conflict', `email: ${message}`, { field: 'email', error })

async function assertGrantable({ tx, rows, actor }: OrganizationChange, given: Pick<Invite, 'roleId' | 'workspaces'>) {
  const problem = grantProblem(actor.standing, given, await readGivable(tx, rows.organizationId))
  if (problem) throw new HeddleError('bad_request', `${problem.field}: ${problem.message}`, { field: problem.field })
}
