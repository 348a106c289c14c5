/** Sign-in methods: those of the platform, and those an address's domain requires. */
import { and, asc, eq, exists, inArray, isNotNull, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import { domainOf, type LoginMethods, type OfferedProvider, type SignInMethods } from '#contract/organization/sso.ts'
import type { Database } from '#db/client.ts'
import {
  authenticators,
  identityProviders,
  organizationDomains,
  organizationMembers,
  passkeys,
  userIdentities,
  users,
} from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { isPlatformAdmin } from '../../http/session/identity.ts'
import type { Services } from '../../services.ts'

const offered = { id: identityProviders.id, kind: identityProviders.kind, name: identityProviders.name }
/** People may sign in with the provider. */
export const isOffered = () => and(eq(identityProviders.isEnabled, true), isNotNull(identityProviders.testedDate))

export async function platformMethods({ db }: Pick<Services, 'db'>): Promise<LoginMethods> {
  const methods = await platformProviders(db)
  return { providers: [...new Set(methods.map(({ kind }) => kind))], methods }
}

async function platformProviders(db: Database): Promise<OfferedProvider[]> {
  return acrossOrganizations(db, 'the platform’s identity providers are for everybody')
    .select(offered)
    .from(identityProviders)
    .where(and(isNull(identityProviders.organizationId), isOffered()))
    .orderBy(asc(identityProviders.name))
}

/** Decides by the domain alone: whether somebody has an account changes nothing. */
export async function findMethods({ db }: Pick<Services, 'db'>, email: string): Promise<SignInMethods> {
  const rows = await providersOfDomain(db, email)
  return {
    password: !rows.some(({ isRequired }) => isRequired),
    providers: rows.map(({ id, kind, name }) => ({ id, kind, name })),
  }
}

/**
 * Returns true when somebody may sign in only with the provider that their domain requires. Organization admins with a
 * second step may always come in, in case the provider fails, and the platform admin, whom no such provider lets in.
 * @param providers of the domain of the address, when they have been read
 */
export async function needsProvider(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { user, hasSecondStep }: { user: typeof users.$inferSelect; hasSecondStep: boolean },
  providers?: Awaited<ReturnType<typeof providersOfDomain>>,
): Promise<boolean> {
  const required = (providers ?? (await providersOfDomain(db, user.email))).filter(({ isRequired }) => isRequired)
  const organizationIds = required.flatMap(({ organizationId }) => organizationId ?? [])
  if (organizationIds.length === 0 || isPlatformAdmin({ user, identityProviderId: null }, config)) return false
  if (!hasSecondStep) return true
  const [spared] = await acrossOrganizations(db, 'admins of the organization that owns the domain are spared')
    .select({ userId: organizationMembers.userId })
    .from(organizationMembers)
    .where(
      and(
        inArray(organizationMembers.organizationId, organizationIds),
        eq(organizationMembers.userId, user.id),
        eq(organizationMembers.isAdmin, true),
        isNull(organizationMembers.disabledDate),
      ),
    )
  return !spared
}

/** Returns true when somebody may sign in without the provider that their domain requires as long as they have a second step. */
export async function isSparedBySecondStep(
  services: Pick<Services, 'db' | 'config'>,
  userId: string,
): Promise<boolean> {
  const [user] = await services.db.select().from(users).where(eq(users.id, userId))
  if (!user || !(await needsProvider(services, { user, hasSecondStep: false }))) return false
  return !(await needsProvider(services, { user, hasSecondStep: true }))
}

/**
 * Returns true when an active admin can sign in although a provider is required: with a password and a second step, a
 * passkey, an address of another domain, or as an identity of that provider.
 */
export async function isAnyAdminSpared(
  db: Database,
  { organizationId, issuer }: { organizationId: string; issuer: string },
): Promise<boolean> {
  const handle = acrossOrganizations(db, 'admins of the organization that owns the domain are spared')
  const hasApp = handle
    .select({ one: sql`1` })
    .from(authenticators)
    .where(and(eq(authenticators.userId, users.id), isNotNull(authenticators.confirmedDate)))
  const hasPasskey = handle.select({ one: sql`1` }).from(passkeys).where(eq(passkeys.userId, users.id))
  const isLinked = handle
    .select({ one: sql`1` })
    .from(userIdentities)
    .where(and(eq(userIdentities.userId, users.id), eq(userIdentities.issuer, issuer)))
  const isHeld = handle
    .select({ one: sql`1` })
    .from(organizationDomains)
    .where(
      and(
        eq(organizationDomains.organizationId, organizationId),
        isNotNull(organizationDomains.provenDate),
        sql`${users.email} like '%@' || ${organizationDomains.domain}`,
      ),
    )
  const [spared] = await handle
    .select({ id: users.id })
    .from(organizationMembers)
    .innerJoin(users, eq(users.id, organizationMembers.userId))
    .where(
      and(
        eq(organizationMembers.organizationId, organizationId),
        eq(organizationMembers.isAdmin, true),
        isNull(organizationMembers.disabledDate),
        eq(users.status, 'active'),
        or(and(ne(users.passwordHash, ''), exists(hasApp)), exists(hasPasskey), exists(isLinked), notExists(isHeld)),
      ),
    )
    .limit(1)
  return spared !== undefined
}

/** Selects the organization that has proven a domain. */
export function provenDomain(db: Database, domain: string) {
  return acrossOrganizations(db, 'an address says whose domain it is of')
    .select({ organizationId: organizationDomains.organizationId })
    .from(organizationDomains)
    .where(and(eq(organizationDomains.domain, domain), isNotNull(organizationDomains.provenDate)))
}

/** Selects the providers that an address's domain offers. */
export function providersOfDomain(db: Database, email: string) {
  const handle = acrossOrganizations(db, 'an address says whose domain it is of')
  return handle
    .select({ ...offered, isRequired: identityProviders.isRequired, organizationId: identityProviders.organizationId })
    .from(identityProviders)
    .where(and(inArray(identityProviders.organizationId, provenDomain(db, domainOf(email))), isOffered()))
    .orderBy(asc(identityProviders.name))
}
