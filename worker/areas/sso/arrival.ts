/** Reads what the rules of `sso-rules.ts` decide on. */
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { domainOf } from '#contract/organization/sso.ts'
import {
  type Arrival,
  type KnownAccount,
  listPlaces,
  type ProvenIdentity,
  type RoleGrant,
} from '#contract/organization/sso-rules.ts'
import type { Database } from '#db/client.ts'
import {
  identityProviders,
  organizationMembers,
  roles,
  userIdentities,
  users,
  workspaceMembers,
  workspaces,
} from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { isPlatformAdmin } from '../../http/session/identity.ts'
import type { Services } from '../../services.ts'
import { isOffered, provenDomain } from '../auth/index.ts'
import { findInvitation, type OpenInvitation } from '../invitations/index.ts'
import { type ProviderRow, providersOf } from './records.ts'

export interface ReadPlace extends RoleGrant {
  organizationId: string
  roleName: string
}

/** Facts that the sign-in rules need, and the invitation that may be accepted. */
export interface ReadArrival extends Arrival {
  invitation: OpenInvitation | undefined
}

type User = typeof users.$inferSelect

const reaching = (db: Database) =>
  acrossOrganizations(db, 'somebody who signs in is known by identity or address, in whatever organization')

export async function readArrival(
  services: Services,
  provider: ProviderRow,
  identity: ProvenIdentity,
): Promise<ReadArrival> {
  const { db, config } = services
  const email = identity.email ?? ''
  const [linked, namesakes, proven] = await db.batch([
    db
      .select({ user: users })
      .from(userIdentities)
      .innerJoin(users, eq(users.id, userIdentities.userId))
      .where(and(eq(userIdentities.issuer, identity.issuer), eq(userIdentities.subject, identity.subject))),
    db.select({ user: users }).from(users).where(eq(users.email, email)),
    provenDomain(db, domainOf(email)),
  ])
  const account = async (user: User | undefined) => user && knownAccount(services, provider, user)
  const { give } = listPlaces(provider, { groups: identity.groups, isNew: true })
  const isTheirs = email !== '' && (linked[0]?.user.email ?? email) === email
  const invitation = isTheirs
    ? await findInvitation(services, { email, organizationId: provider.organizationId })
    : undefined
  return {
    provider,
    identity,
    isDomainProven: proven.some(({ organizationId }) => organizationId === provider.organizationId),
    linked: await account(linked[0]?.user),
    namesake: await account(namesakes[0]?.user),
    isPlatformAdminAddress: email !== '' && email === config.platformAdminEmail,
    hasPlace: (await readPlaces(db, provider, give)).length > 0,
    isInvited: invitation !== undefined,
    invitation,
  }
}

async function knownAccount(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { organizationId }: ProviderRow,
  user: User,
): Promise<KnownAccount> {
  const ofProvider = organizationId === null ? undefined : eq(organizationMembers.organizationId, organizationId)
  const memberships = await reaching(db)
    .select()
    .from(organizationMembers)
    .where(and(eq(organizationMembers.userId, user.id), ofProvider))
  return {
    userId: user.id,
    isActive: user.status === 'active',
    isEmailVerified: user.emailVerifiedDate !== null,
    isPlatformAdmin: isPlatformAdmin({ user, identityProviderId: null }, config),
    membership: membershipOf(memberships),
  }
}

function membershipOf(memberships: (typeof organizationMembers.$inferSelect)[]): KnownAccount['membership'] {
  const active = memberships.filter(({ disabledDate }) => disabledDate === null)
  if (active.some(({ isAdmin }) => isAdmin)) return 'admin'
  if (active.length > 0) return 'member'
  return memberships.length > 0 ? 'disabled' : 'none'
}

/** Returns the places that still exist, with their organizations: the provider's own, where it has one. */
export async function readPlaces(
  db: Database,
  { organizationId }: ProviderRow,
  places: RoleGrant[],
): Promise<ReadPlace[]> {
  if (places.length === 0) return []
  const rows = await reaching(db)
    .select({
      workspaceId: workspaces.id,
      roleId: roles.id,
      roleName: roles.name,
      organizationId: workspaces.organizationId,
    })
    .from(workspaces)
    .innerJoin(roles, and(eq(roles.organizationId, workspaces.organizationId), eq(roles.kind, 'workspace')))
    .where(
      and(
        isNull(workspaces.deletedDate),
        inArray(
          workspaces.id,
          places.map((place) => place.workspaceId),
        ),
        inArray(
          roles.id,
          places.map((place) => place.roleId),
        ),
        organizationId === null ? undefined : eq(workspaces.organizationId, organizationId),
      ),
    )
  const isPlace = (row: ReadPlace) =>
    places.some(({ workspaceId, roleId }) => workspaceId === row.workspaceId && roleId === row.roleId)
  return rows.filter(isPlace)
}

/** Returns what new people of an organization get without a group: the default role of its oldest provider that is on. */
export async function readDefaultPlace(db: Database, organizationId: string): Promise<ReadPlace | undefined> {
  const { handle, owned } = providersOf(db, { organizationId })
  const [provider] = await handle
    .select()
    .from(identityProviders)
    .where(and(owned, isNotNull(identityProviders.defaultRole), isOffered()))
    .orderBy(identityProviders.createdDate, identityProviders.id)
    .limit(1)
  if (!provider?.defaultRole) return undefined
  return (await readPlaces(db, provider, [provider.defaultRole]))[0]
}

/** A person's current role in a workspace; null for admins. */
export interface HeldPlace extends Pick<ReadPlace, 'workspaceId' | 'organizationId'> {
  roleId: string | null
  roleName: string | null
}

export async function readHeld(db: Database, userId: string, workspaceIds: string[]): Promise<HeldPlace[]> {
  if (workspaceIds.length === 0) return []
  return reaching(db)
    .select({
      workspaceId: workspaceMembers.workspaceId,
      roleId: workspaceMembers.roleId,
      roleName: roles.name,
      organizationId: workspaces.organizationId,
    })
    .from(workspaceMembers)
    .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
    .leftJoin(roles, eq(roles.id, workspaceMembers.roleId))
    .where(and(eq(workspaceMembers.userId, userId), inArray(workspaceMembers.workspaceId, workspaceIds)))
}
