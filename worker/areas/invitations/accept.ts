/** Accepting an invitation through its link. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import { HeddleError } from '#contract/errors.ts'
import type { AcceptInvitation, OpenedInvitation } from '#contract/organization/members.ts'
import type { Database } from '#db/client.ts'
import {
  identityProviders,
  invitations,
  organizationMembers,
  organizations,
  sessions,
  users,
  workspaceMembers,
} from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { changeAtOnce } from '#db/unit-of-work.ts'
import { withdrawEmails } from '../../emails/queue.ts'
import { readToken } from '../../emails/tokens.ts'
import { auditEvent } from '../../http/audit.ts'
import { checkXsrf } from '../../http/origin.ts'
import type { AppEnv } from '../../http/route.ts'
import { ACCESS_COOKIE, readSessionCookie } from '../../http/session/cookies.ts'
import { verifyAccessToken } from '../../http/session/tokens.ts'
import type { Services } from '../../services.ts'
import { hashPassword, sessionUser, startSession } from '../auth/index.ts'
import { runIn } from '../users/index.ts'
import { isStillBacked } from './grants.ts'

type UserRow = typeof users.$inferSelect

/** Whose browser it is; they need not belong to any organization. */
interface Visitor {
  sessionId: string
  userId: string
  email: string
  /** The organization whose provider opened the session; null: it is the person's. */
  limitedTo: string | null
}

/** Tells what the invitation is and what comes next. Throws `bad_request` for a token that no longer works. */
export async function openInvitation(c: Context<AppEnv>, token: string): Promise<OpenedInvitation> {
  const services = c.get('services')
  const across = acrossOrganizations(services.db, 'the token of an invitation names its organization')
  const { invitation, account, inviter, organization, isProven } = await readInvitation(services, across, token)
  const visitor = await readVisitor(c)
  const { email, expiresDate } = invitation
  const hasAccount = account !== undefined && !isReplaceable(account, isProven)
  const next = visitor ? nextOf(visitor, invitation) : hasAccount ? 'sign_in' : 'register'
  return { email, organization, inviter, expiresDate, next, signedInAs: visitor?.email ?? null }
}

function nextOf(visitor: Visitor, invitation: OpenInvitation['invitation']) {
  if (visitor.email !== invitation.email) return 'switch'
  return isElsewhere(visitor, invitation) ? 'prove' : 'accept'
}

/** An organization's provider takes nobody into another organization. */
const isElsewhere = ({ limitedTo }: Visitor, { organizationId }: OpenInvitation['invitation']): boolean =>
  limitedTo !== null && limitedTo !== organizationId

/** Makes the person a member. A new person gets an account and is signed in. */
export async function acceptInvitation(c: Context<AppEnv>, given: AcceptInvitation): Promise<SessionUser> {
  const services = c.get('services')
  const visitor = await readVisitor(c)
  let made: ReturnType<typeof newPerson> | undefined
  const userId = await changeAtOnce(services.db, async (handle) => {
    const tx = acrossOrganizations(handle, 'the token of an invitation names its organization')
    const within = { ...services, db: tx }
    const current = await readInvitation(within, tx, given.token)
    const needsAccount = assertRightPerson(current, visitor)
    if (needsAccount) made ??= newPerson(given)
    const person = await putAccount(within, current, needsAccount ? await made : undefined)
    await join(within, current, person.id)
    if (visitor) await showWorkspace(tx, visitor, current.firstWorkspaceId)
    const actor = { kind: 'user', userId: person.id, name: person.name, workspaceId: current.firstWorkspaceId } as const
    const target = { id: current.invitation.id, name: current.invitation.email }
    await runIn(tx, auditEvent(c, actor, { event: 'invitation.accept', target, ofOrganization: true }))
    return person.id
  })
  return visitor ? sessionUser(services, visitor.sessionId) : startSession(c, userId, { method: 'invite' })
}

/** Reads everything about the invitation of a token; `tx` is a handle across organizations. */
async function readInvitation(services: Pick<Services, 'clock'>, tx: Database, token: string) {
  const { subject, address } = await readToken({ db: tx, clock: services.clock }, 'invite', token)
  const [row] = await tx
    .select({ invitation: invitations, organization: organizations.name, inviter: users.name })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(eq(invitations.id, subject), isNull(invitations.acceptedDate), isNull(invitations.revokedDate)))
  if (!row || row.invitation.expiresDate <= services.clock.now().toISOString()) throw gone()
  if (!(await isStillBacked(tx, row.invitation))) throw gone()
  const [account] = await tx.select().from(users).where(eq(users.email, row.invitation.email))
  const firstWorkspaceId = row.invitation.workspaces[0]?.workspaceId ?? ''
  return { ...row, account, firstWorkspaceId, isProven: address === row.invitation.email }
}

type OpenInvitation = Awaited<ReturnType<typeof readInvitation>>

/**
 * Somebody registered the address and never confirmed it. Whoever got the email owns the address: the account becomes
 * theirs, with a password of theirs.
 */
const isReplaceable = (account: UserRow, isProven: boolean) => account.status === 'unverified' && isProven

/** Returns whether an account is to be made. Throws `conflict` for anybody but the invited person, `forbidden` for another organization's session. */
function assertRightPerson({ invitation, account, isProven }: OpenInvitation, visitor: Visitor | undefined): boolean {
  const { email } = invitation
  if (visitor && visitor.email !== email) {
    const message = `You’re signed in as ${visitor.email}, but the invitation is for ${email}. Sign out first.`
    throw new HeddleError('conflict', message, { error: 'signed_in_as_another', signedInAs: visitor.email })
  }
  if (visitor && isElsewhere(visitor, invitation)) {
    const message = 'Sign in with your password or passkey to join another organization.'
    throw new HeddleError('forbidden', message, { error: 'account_limited' })
  }
  if (visitor) return false
  if (account === undefined || isReplaceable(account, isProven)) return true
  throw new HeddleError('conflict', `Sign in as ${email} to accept the invitation.`, { error: 'sign_in_first' })
}

async function newPerson({ name, password }: AcceptInvitation) {
  if (name === undefined) throw new HeddleError('bad_request', 'name: Name is required', { field: 'name' })
  if (password === undefined) {
    throw new HeddleError('bad_request', 'password: Password is required', { field: 'password' })
  }
  return { name, passwordHash: await hashPassword(password) }
}

/** Returns the invited person's account, made or taken over where `fresh` says how. */
async function putAccount(
  { db: tx, clock }: Services,
  { invitation, account, firstWorkspaceId, isProven }: OpenInvitation,
  fresh: { name: string; passwordHash: string } | undefined,
): Promise<Pick<UserRow, 'id' | 'name'>> {
  const now = clock.now().toISOString()
  const proof = isProven ? { emailVerifiedDate: account?.emailVerifiedDate ?? now } : {}
  if (account && !fresh) {
    await tx
      .update(users)
      .set({ ...proof, activeWorkspaceId: firstWorkspaceId })
      .where(eq(users.id, account.id))
    return account
  }
  const values = { ...fresh, ...proof, status: 'active', activeWorkspaceId: firstWorkspaceId }
  if (account) {
    await tx.update(users).set(values).where(eq(users.id, account.id))
    await tx.update(sessions).set({ revokedDate: now }).where(eq(sessions.userId, account.id))
    return { id: account.id, name: fresh?.name ?? account.name }
  }
  const person = {
    name: '',
    passwordHash: '',
    ...values,
    id: crypto.randomUUID(),
    email: invitation.email,
    createdDate: now,
  }
  await tx.insert(users).values(person)
  return person
}

/** Makes somebody a member with what the invitation gives, in the unit of work that read it. Throws `conflict` for members. */
export async function join(
  services: Pick<Services, 'db' | 'clock'>,
  { invitation }: Pick<OpenInvitation, 'invitation'>,
  userId: string,
): Promise<void> {
  const { db: tx, clock } = services
  const now = clock.now().toISOString()
  const { id, organizationId, roleId } = invitation
  const isMember = and(eq(organizationMembers.organizationId, organizationId), eq(organizationMembers.userId, userId))
  const [member] = await tx.select().from(organizationMembers).where(isMember)
  if (member) {
    const message = `You are a member of this organization already. Open the home page.`
    throw new HeddleError('conflict', message, { error: 'already_member' })
  }
  await tx.insert(organizationMembers).values({ organizationId, userId, roleId, createdDate: now })
  await tx
    .insert(workspaceMembers)
    .values(invitation.workspaces.map(({ workspaceId, roleId }) => ({ workspaceId, userId, roleId })))
  await tx.update(invitations).set({ acceptedDate: now }).where(eq(invitations.id, id))
  for (const statement of withdrawEmails(services, { kind: 'invite', subject: id })) await statement
}

const showWorkspace = (tx: Database, { sessionId }: Visitor, activeWorkspaceId: string) =>
  tx.update(sessions).set({ activeWorkspaceId }).where(eq(sessions.id, sessionId))

/** Returns whose session the browser has, if any. Throws 401 with retry when its access token has expired. */
async function readVisitor(c: Context<AppEnv>): Promise<Visitor | undefined> {
  const { db, clock, config } = c.get('services')
  const token = await readSessionCookie(c, ACCESS_COOKIE)
  if (token === undefined) return undefined
  const sessionId = await verifyAccessToken(config.sessionKey, token, clock.now())
  checkXsrf(c, sessionId)
  const [row] = await acrossOrganizations(db, 'a session names the provider that opened it')
    .select({
      userId: users.id,
      email: users.email,
      expiresDate: sessions.expiresDate,
      providerId: sessions.identityProviderId,
      provider: { id: identityProviders.id, organizationId: identityProviders.organizationId },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(identityProviders, eq(identityProviders.id, sessions.identityProviderId))
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedDate), eq(users.status, 'active')))
  if (!row || row.expiresDate <= clock.now().toISOString()) return undefined
  const { userId, email, providerId, provider } = row
  if (providerId !== null && provider === null) return undefined
  return { sessionId, userId, email, limitedTo: provider?.organizationId ?? null }
}

function gone(): HeddleError {
  const message = 'token: This invitation no longer works. Ask for a new one.'
  return new HeddleError('bad_request', message, { field: 'token' })
}
