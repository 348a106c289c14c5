/** How people may sign in: what the platform offers to everybody, and what an address's domain asks for. */
import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { domainOf, type LoginMethods, type OfferedProvider, type SignInMethods } from '#contract/organization/sso.ts'
import type { Database } from '#db/client.ts'
import { identityProviders, organizationDomains, organizationMembers, type users } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { isPlatformAdmin } from '../../http/session/identity.ts'
import type { Services } from '../../services.ts'

const offered = { id: identityProviders.id, kind: identityProviders.kind, name: identityProviders.name }
const isOffered = () => and(eq(identityProviders.isEnabled, true), isNotNull(identityProviders.testedDate))

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
export async function methodsOf({ db }: Pick<Services, 'db'>, email: string): Promise<SignInMethods> {
  const rows = await providersOfDomain(db, email)
  return {
    password: !rows.some(({ isRequired }) => isRequired),
    providers: rows.map(({ id, kind, name }) => ({ id, kind, name })),
  }
}

/**
 * Returns true when somebody may sign in only with the provider that their domain requires. Organization admins with a
 * second step may always come in, in case the provider fails, and the platform admin, whom no such provider lets in.
 */
export async function needsProvider(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { user, hasSecondStep }: { user: typeof users.$inferSelect; hasSecondStep: boolean },
): Promise<boolean> {
  const required = (await providersOfDomain(db, user.email)).filter(({ isRequired }) => isRequired)
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

async function providersOfDomain(db: Database, email: string) {
  const handle = acrossOrganizations(db, 'an address says whose domain it is of')
  const owners = handle
    .select({ organizationId: organizationDomains.organizationId })
    .from(organizationDomains)
    .where(and(eq(organizationDomains.domain, domainOf(email)), isNotNull(organizationDomains.provenDate)))
  return handle
    .select({ ...offered, isRequired: identityProviders.isRequired, organizationId: identityProviders.organizationId })
    .from(identityProviders)
    .where(and(inArray(identityProviders.organizationId, owners), isOffered()))
    .orderBy(asc(identityProviders.name))
}
