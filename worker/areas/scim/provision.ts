/** Makes people members of the organization, changes them, and lets them go. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from 'hono'
import type { MemberChange } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import { domainOf } from '#contract/organization/sso.ts'
import { type Assignment, changeUser, type UserState } from '#contract/scim/changes.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { canSendEmail, queueEmail } from '../../emails/queue.ts'
import type { AppEnv, DirectoryActor } from '../../http/route.ts'
import { isPlatformAdmin } from '../../http/session/identity.ts'
import { provenDomain } from '../auth/index.ts'
import { readDefaultPlace, voidAccount } from '../sso/index.ts'
import {
  attemptMember,
  changeOrganization,
  endMembership,
  endSessions,
  isOnlyHere,
  type MemberAttempt,
  type OrganizationChange,
  recordChange,
  switchMember,
} from '../users/index.ts'
import { userNotFound } from './users.ts'

const NOBODY: UserState = { userName: '', name: '', externalId: null, active: true }

/** Returns the id of the new member. Throws `conflict` for who is one already. */
export function createUser(c: Context<AppEnv>, actor: DirectoryActor, assignments: Assignment[]): Promise<string> {
  const state = changeUser(NOBODY, assignments)
  if (state.userName === '') throw invalid('userName: This is required')
  const now = c.get('services').clock.now().toISOString()
  return changeOrganization(c, { actor }, async (organization) => {
    await assertProven(c, organization, state.userName)
    const { tx, rows } = organization
    const [account] = await tx.select().from(users).where(eq(users.email, state.userName))
    const userId = account ? await takeIn(c, organization, account) : await addAccount(organization, state, now)
    await rows.insert(organizationMembers, {
      userId,
      externalId: state.externalId,
      disabledDate: state.active ? null : now,
      createdDate: now,
    })
    await recordChange(organization, { id: userId, email: state.userName }, 'user.provision', {
      active: [null, state.active],
    })
    await giveDefaultRole(organization, { id: userId, email: state.userName })
    return userId
  })
}

type Account = typeof users.$inferSelect

/** Returns the id of an account whose owner may be made a member. */
async function takeIn(c: Context<AppEnv>, { tx, members }: OrganizationChange, account: Account): Promise<string> {
  assertNoPlatformAdmin(c, account)
  const [member] = await members([account.id])
  if (member) throw uniquenessConflict(`userName: ${account.email} is in this organization already`)
  if (account.emailVerifiedDate !== null) return account.id
  if (account.status === 'active' && account.passwordHash !== '') {
    throw uniquenessConflict(
      `userName: ${account.email} has an account whose address nobody has confirmed. Ask its owner to do so.`,
    )
  }
  // Whoever made the account never showed that the address is theirs: nothing of theirs may open the organization.
  const now = c.get('services').clock.now().toISOString()
  for (const statement of voidAccount({ db: tx, now, userId: account.id })) await statement
  await tx.update(users).set({ emailVerifiedDate: null }).where(eq(users.id, account.id))
  return account.id
}

/** The person sets a password with an email, or signs in with a provider. */
async function addAccount(
  { tx, rows }: OrganizationChange,
  { userName, name }: UserState,
  now: string,
): Promise<string> {
  const [first] = await tx
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.organizationId, rows.organizationId), isNull(workspaces.deletedDate)))
    .orderBy(workspaces.createdDate, workspaces.id)
    .limit(1)
  const id = crypto.randomUUID()
  const activeWorkspaceId = first?.id ?? ''
  await tx.insert(users).values({ id, email: userName, name, passwordHash: '', activeWorkspaceId, createdDate: now })
  return id
}

/** As somebody gets at their first sign-in with the organization's provider. */
async function giveDefaultRole(organization: OrganizationChange, person: { id: string; email: string }): Promise<void> {
  const { tx, rows } = organization
  const place = await readDefaultPlace(tx, rows.organizationId)
  if (!place) return
  const { workspaceId, roleId } = place
  await tx.insert(workspaceMembers).values({ workspaceId, userId: person.id, roleId }).onConflictDoNothing()
  await tx.update(users).set({ activeWorkspaceId: workspaceId }).where(eq(users.id, person.id))
  await recordChange(organization, person, 'workspace.add-user', {
    ...{ workspace: workspaceId, role: [null, place.roleName] },
  })
}

/** Changes a member. `isWhole`: what is not named is dropped, except for what everybody has. */
export function updateUser(
  c: Context<AppEnv>,
  { actor, id, isWhole }: { actor: DirectoryActor; id: string; isWhole: boolean },
  assignments: Assignment[],
): Promise<void> {
  const now = c.get('services').clock.now()
  return changeOrganization(c, { actor }, async (organization) => {
    const { attempt, account, externalId } = await readMember(c, organization, id)
    const before: UserState = {
      ...{ userName: account.email, name: account.name, externalId },
      active: attempt.target.disabledDate === null,
    }
    const after = changeUser(isWhole ? { ...before, externalId: null } : before, assignments)
    const isSwitched = before.active !== after.active
    if (isSwitched) assertAllowed(attempt, { kind: after.active ? 'enable' : 'disable' })
    await changeProfile(c, { attempt, before, after })
    if (!isSwitched) return
    await switchMember(attempt, after.active ? null : now)
    if (!after.active) await endSessions(organization, id, now)
  })
}

export function deleteUser(c: Context<AppEnv>, actor: DirectoryActor, id: string): Promise<void> {
  return changeOrganization(c, { actor }, async (organization) => {
    const { attempt } = await readMember(c, organization, id)
    assertAllowed(attempt, { kind: 'remove' })
    await endMembership(attempt, c.get('services').clock.now())
  })
}

/** Throws `not_found`, and `forbidden` for people whom the directory may not touch. */
async function readMember(c: Context<AppEnv>, organization: OrganizationChange, id: string) {
  const { tx, rows } = organization
  const attempt = await attemptMember(organization, { id, isSelf: false })
  const [account] = await tx.select().from(users).where(eq(users.id, id))
  if (!attempt || !account) throw userNotFound(id)
  const [member] = await rows.select(organizationMembers, eq(organizationMembers.userId, id))
  assertNoPlatformAdmin(c, account)
  return { attempt, account, externalId: (member?.externalId as string | null | undefined) ?? null }
}

function assertAllowed({ refusalOf, target }: MemberAttempt, change: MemberChange): void {
  if (refusalOf(change)) {
    throw new HeddleError('conflict', `${target.email} is the last active admin. Make somebody else an admin first.`)
  }
}

interface ProfileChange {
  attempt: MemberAttempt
  before: UserState
  after: UserState
}

/** Changes name, address and external id. */
async function changeProfile(c: Context<AppEnv>, { attempt, before, after }: ProfileChange): Promise<void> {
  const { organization, target } = attempt
  const { tx, rows } = organization
  const change = Object.fromEntries(
    (['userName', 'name', 'externalId'] as const)
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, [before[field], after[field]]]),
  )
  if (Object.keys(change).length === 0) return
  if (change.userName || change.name) {
    await assertProven(c, organization, before.userName)
    await assertOnlyHere(organization, target)
  }
  if (change.userName) await assertFree(c, organization, after.userName)
  const unproven = change.userName ? { emailVerifiedDate: null } : {}
  if (change.userName)
    await tellOldAddress(c, tx, { userId: target.id, before: before.userName, after: after.userName })
  await tx
    .update(users)
    .set({ email: after.userName, name: after.name, ...unproven })
    .where(eq(users.id, target.id))
  await rows.update(organizationMembers, eq(organizationMembers.userId, target.id), { externalId: after.externalId })
  await recordChange(organization, { id: target.id, email: after.userName }, 'user.update', change)
}

/** The old address hears of the new one, with the next emails that go. */
async function tellOldAddress(
  c: Context<AppEnv>,
  tx: Database,
  { userId, before, after }: { userId: string; before: string; after: string },
): Promise<void> {
  const services = c.get('services')
  if (!canSendEmail(services)) return
  const names = { change: 'email-provisioned', detail: after } as const
  await queueEmail({ ...services, db: tx }, { kind: 'sign-in-changed', address: before, userId, names })
}

/** Name and address are the person's in every organization: whoever changes the address can reset the password. */
async function assertOnlyHere(organization: OrganizationChange, { id, email }: { id: string; email: string }) {
  if (await isOnlyHere(organization, id)) return
  const message = `userName: ${email} belongs to another organization too, so only they change their name and address, under Account`
  throw new HeddleError('bad_request', message, { field: 'userName', scimType: 'mutability' })
}

async function assertFree(c: Context<AppEnv>, organization: OrganizationChange, email: string): Promise<void> {
  await assertProven(c, organization, email)
  const [other] = await organization.tx.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (other) throw uniquenessConflict(`userName: Another account has the address ${email}`)
}

/** A directory speaks for people of the domains that its organization has proven. */
async function assertProven(c: Context<AppEnv>, { tx, rows }: OrganizationChange, email: string): Promise<void> {
  const domain = domainOf(email)
  const proven = await provenDomain(tx, domain)
  if (!proven.some(({ organizationId }) => organizationId === rows.organizationId)) {
    throw invalid(
      `userName: Your organization has not proven the domain ${domain}. Do so under Account > Single sign-on.`,
    )
  }
  if (email === c.get('services').config.platformAdminEmail) throw ofPlatformAdmin(email)
}

function assertNoPlatformAdmin(c: Context<AppEnv>, user: Account): void {
  if (isPlatformAdmin({ user, identityProviderId: null }, c.get('services').config)) throw ofPlatformAdmin(user.email)
}

const ofPlatformAdmin = (email: string) =>
  new HeddleError('forbidden', `${email} administers this installation. Leave this person out of provisioning.`)

const invalid = (message: string) =>
  new HeddleError('bad_request', message, { field: 'userName', scimType: 'invalidValue' })

const uniquenessConflict = (message: string) => new HeddleError('conflict', message, { scimType: 'uniqueness' })
