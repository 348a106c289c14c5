/** Lets somebody in whom a provider has named: as the account, with the places, that the rules give. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { entryOf, type KnownAccount, type ProvenIdentity, placesOf } from '#contract/organization/sso-rules.ts'
import type { Database } from '#db/client.ts'
import {
  authenticators,
  organizationMembers,
  passkeys,
  recoveryCodes,
  sessions,
  userIdentities,
  users,
  workspaceMembers,
  workspaces,
} from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import type { Services } from '../../services.ts'
import { type ReadPlace, readArrival, readPlaces } from './arrival.ts'
import type { ProviderRow } from './records.ts'
import { SsoRefusal } from './refusal.ts'

type Statement = BatchItem<'sqlite'>

export interface Entered {
  userId: string
  /** Where the session begins; null: where the person's last one was. */
  activeWorkspaceId: string | null
}

/** Returns whom the session is for. Throws a refusal, and changes nothing then. */
export async function enter(services: Services, provider: ProviderRow, identity: ProvenIdentity): Promise<Entered> {
  const { db } = services
  const arrival = await readArrival(services, provider, identity)
  const entry = entryOf(arrival)
  if (entry.kind === 'refuse') throw new SsoRefusal(entry.reason)
  const account = arrival.linked ?? arrival.namesake
  const isNew = entry.kind === 'create' || account?.membership === 'none'
  const { give, take } = placesOf(provider, { groups: identity.groups, isNew })
  const places = await readPlaces(db, provider, give)
  const userId = entry.kind === 'create' ? crypto.randomUUID() : entry.userId
  const changes = { db, now: services.clock.now().toISOString(), userId, identity }
  const statements: Statement[] = [
    ...(entry.kind === 'create' ? createUser(changes, places, entry.isEmailVerified) : []),
    ...(entry.kind === 'take-over' ? voidAccount(changes) : []),
    ...(entry.kind === 'link' ? [confirmAddress(changes)] : []),
    entry.kind === 'enter' ? useIdentity(changes) : addIdentity(changes),
    ...joinPlaces(changes, { provider, places, take, isNew }),
  ]
  await write(db, statements)
  return { userId, activeWorkspaceId: await firstWorkspace(db, provider, { userId, account }) }
}

interface Changes {
  db: Database
  now: string
  userId: string
  identity: ProvenIdentity
}

async function write(db: Database, statements: Statement[]): Promise<void> {
  try {
    await db.batch(statements as [Statement, ...Statement[]])
  } catch (error) {
    // Two first sign-ins at once.
    if (isUniqueViolation(error)) throw new SsoRefusal('failed', 'the account was just made', { cause: error })
    throw error
  }
}

function createUser({ db, now, userId, identity }: Changes, [place]: ReadPlace[], isEmailVerified: boolean) {
  if (!place || identity.email === null) throw new SsoRefusal('not_invited')
  return [
    db.insert(users).values({
      id: userId,
      email: identity.email,
      name: identity.name,
      passwordHash: '',
      activeWorkspaceId: place.workspaceId,
      emailVerifiedDate: isEmailVerified ? now : null,
      createdDate: now,
    }),
  ]
}

/** Whoever made the account never showed that the address is theirs: nothing of theirs opens it any more. */
export function voidAccount({ db, now, userId }: Omit<Changes, 'identity'>): Statement[] {
  return [
    db.update(users).set({ passwordHash: '', status: 'active', emailVerifiedDate: now }).where(eq(users.id, userId)),
    db
      .update(sessions)
      .set({ revokedDate: now })
      .where(and(eq(sessions.userId, userId), isNull(sessions.revokedDate))),
    db.delete(authenticators).where(eq(authenticators.userId, userId)),
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.delete(passkeys).where(eq(passkeys.userId, userId)),
    db.delete(userIdentities).where(eq(userIdentities.userId, userId)),
  ]
}

const confirmAddress = ({ db, now, userId }: Changes) =>
  db
    .update(users)
    .set({ emailVerifiedDate: now })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedDate)))

export const addIdentity = ({ db, now, userId, identity: { issuer, subject, email } }: Changes) =>
  db.insert(userIdentities).values({ issuer, subject, userId, email: email ?? '', createdDate: now, lastUsedDate: now })

const useIdentity = ({ db, now, identity: { issuer, subject, email } }: Changes) =>
  db
    .update(userIdentities)
    .set({ email: email ?? '', lastUsedDate: now })
    .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject)))

interface Joining {
  provider: ProviderRow
  places: ReadPlace[]
  /** Ids of workspaces of the provider's organization. */
  take: string[]
  isNew: boolean
}

function joinPlaces({ db, now, userId }: Changes, { provider, places, take, isNew }: Joining): Statement[] {
  const handle = acrossOrganizations(db, 'the provider’s settings name places of its organization')
  const organizationIds = isNew
    ? [...new Set([...places.map((place) => place.organizationId), provider.organizationId ?? []].flat())]
    : []
  return [
    ...organizationIds.map((organizationId) =>
      handle
        .insert(organizationMembers)
        .values({ organizationId, userId, isAdmin: false, createdDate: now })
        .onConflictDoNothing(),
    ),
    ...places.map(({ workspaceId, roleId }) =>
      handle
        .insert(workspaceMembers)
        .values({ workspaceId, userId, roleId })
        .onConflictDoUpdate({
          target: [workspaceMembers.workspaceId, workspaceMembers.userId],
          set: { roleId },
        }),
    ),
    ...(take.length > 0
      ? [
          handle
            .delete(workspaceMembers)
            .where(and(eq(workspaceMembers.userId, userId), inArray(workspaceMembers.workspaceId, take))),
        ]
      : []),
  ]
}

/** A session of an organization's provider opens that organization only. Throws when the person has no place there. */
async function firstWorkspace(
  db: Database,
  { organizationId }: ProviderRow,
  { userId, account }: { userId: string; account: KnownAccount | undefined },
): Promise<string | null> {
  if (organizationId === null) return null
  const rows = await acrossOrganizations(db, 'the provider’s organization has the workspaces')
    .select({ id: workspaces.id, activeWorkspaceId: users.activeWorkspaceId })
    .from(workspaces)
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(
      workspaceMembers,
      and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.userId, userId)),
    )
    .where(
      and(
        eq(workspaces.organizationId, organizationId),
        isNull(workspaces.deletedDate),
        account?.membership === 'admin' ? undefined : eq(workspaceMembers.userId, userId),
      ),
    )
    .orderBy(workspaces.name, workspaces.id)
  const chosen = rows.find(({ id, activeWorkspaceId }) => id === activeWorkspaceId) ?? rows[0]
  if (!chosen) throw new SsoRefusal('no_workspace')
  return chosen.id
}
