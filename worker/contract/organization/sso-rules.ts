/** Who may come in through an identity provider, and as whom. Pure. */
import type { IdentityProviderKind, SsoRefusalReason } from './sso.ts'

/** The claims of a provider about the person who signed in there. */
export interface ProvenIdentity {
  issuer: string
  subject: string
  /** Lower case; null: the provider named none. */
  email: string | null
  /** The provider says that the address is the person's. */
  isEmailVerified: boolean
  name: string
  /** Null: the provider said nothing of groups. */
  groups: string[] | null
}

/** An account that a sign-in may be for. */
export interface KnownAccount {
  userId: string
  isActive: boolean
  isEmailVerified: boolean
  isPlatformAdmin: boolean
  /** In the provider's organization; for a provider of the platform, in any organization. */
  membership: 'none' | 'disabled' | 'member' | 'admin'
}

export interface Arrival {
  provider: { kind: IdentityProviderKind; organizationId: string | null }
  identity: Pick<ProvenIdentity, 'email' | 'isEmailVerified'>
  /** The address is of a domain that the provider's organization has proven. */
  isDomainProven: boolean
  /** The account that is linked with the identity. */
  linked: KnownAccount | undefined
  /** The account that has the identity's address. */
  namesake: KnownAccount | undefined
  /** The address is the one of PLATFORM_ADMIN_EMAIL. */
  isPlatformAdminAddress: boolean
  /** The default role or a group gives the person a place. */
  hasPlace: boolean
  /** An open invitation is for the address, which is the account's own where there is one. */
  isInvited: boolean
}

export type Entry =
  | { kind: 'enter' | 'link'; userId: string }
  /** The address is the account's, but nobody has confirmed it: whoever made the account loses it. */
  | { kind: 'take-over'; userId: string }
  | { kind: 'create'; isEmailVerified: boolean }
  | { kind: 'refuse'; reason: SsoRefusalReason }

const refuse = (reason: SsoRefusalReason): Entry => ({ kind: 'refuse', reason })

/** Decides on one sign-in. */
export function decideEntry(arrival: Arrival): Entry {
  const { linked, namesake } = arrival
  if (linked) return mayEnter(arrival, linked) ?? { kind: 'enter', userId: linked.userId }
  if (namesake && isVouchedFor(arrival)) return entryOfNamesake(arrival, namesake)
  // Says the same for an address with an account as for one without.
  if (!mayName(arrival) || namesake) return refuse('unverified')
  if (arrival.isPlatformAdminAddress && arrival.provider.organizationId !== null) return refuse('platform_admin')
  if (!arrival.hasPlace && !mayAccept(arrival)) return refuse('not_invited')
  return { kind: 'create', isEmailVerified: isVouchedFor(arrival) }
}

/** An account is linked by its address only where the organization owns the domain. Admins link it themselves. */
function entryOfNamesake(arrival: Arrival, namesake: KnownAccount): Entry {
  const { provider, isDomainProven } = arrival
  if (provider.organizationId === null || !isDomainProven || namesake.membership === 'admin') {
    return namesake.isPlatformAdmin && provider.organizationId !== null ? refuse('platform_admin') : refuse('link')
  }
  // Its address would be confirmed, and with that the whole platform theirs.
  if (arrival.isPlatformAdminAddress) return refuse('platform_admin')
  const refusal = mayEnter(arrival, { ...namesake, isActive: true })
  if (refusal) return refusal
  if (!namesake.isActive) return { kind: 'take-over', userId: namesake.userId }
  const isTheirs = namesake.isEmailVerified || namesake.membership === 'member'
  return isTheirs ? { kind: 'link', userId: namesake.userId } : refuse('link')
}

function mayEnter(arrival: Arrival, account: KnownAccount): Entry | undefined {
  const { provider, hasPlace } = arrival
  if (account.isPlatformAdmin && provider.organizationId !== null) return refuse('platform_admin')
  if (account.membership === 'disabled' || !account.isActive) return refuse('disabled')
  if (account.membership !== 'none') return undefined
  // The platform's default role is for new people: who was removed everywhere does not come back by it.
  const isExpected = hasPlace && provider.organizationId !== null
  return isExpected || mayAccept(arrival) ? undefined : refuse('not_invited')
}

/** Issuers that no organization can speak for. */
const INDEPENDENT: readonly IdentityProviderKind[] = ['google', 'github']

/** The address is the person's: said by a provider that can know it. What Microsoft says of addresses proves nothing. */
function isVouchedFor({
  provider,
  identity,
  isDomainProven,
}: Pick<Arrival, 'provider' | 'identity' | 'isDomainProven'>) {
  if (provider.kind === 'microsoft' || identity.email === null || !identity.isEmailVerified) return false
  return INDEPENDENT.includes(provider.kind) || provider.organizationId === null || isDomainProven
}

/** An invitation is for whoever the address is: a provider must be able to say so. */
export const mayAccept = (arrival: Pick<Arrival, 'provider' | 'identity' | 'isDomainProven' | 'isInvited'>): boolean =>
  arrival.isInvited && isVouchedFor(arrival)

/** A new account may have the address: it is vouched for, or the organization owns it anyway. */
function mayName(arrival: Arrival): boolean {
  const { provider, identity, isDomainProven } = arrival
  return isVouchedFor(arrival) || (provider.kind === 'microsoft' && identity.email !== null && isDomainProven)
}

export interface RoleGrant {
  workspaceId: string
  roleId: string
}

interface RoleSettings {
  defaultRole: RoleGrant | null
  groupRoles: readonly (RoleGrant & { group: string })[]
}

interface PlaceChange {
  /** What the person has from now on in these workspaces. */
  give: RoleGrant[]
  /** Workspaces that the person leaves: groups decide about them, and none of theirs gives a role. */
  take: string[]
}

/**
 * Returns what a sign-in changes. In each workspace the first line that names one of the person's groups counts. The
 * default role is for people who have no place yet, and groups that a provider does not name change nothing.
 */
export function listPlaces(
  { defaultRole, groupRoles }: RoleSettings,
  { groups, isNew }: { groups: readonly string[] | null; isNew: boolean },
): PlaceChange {
  const held = new Set(groups ?? [])
  const given = new Map<string, RoleGrant>()
  for (const { group, workspaceId, roleId } of groupRoles) {
    if (held.has(group) && !given.has(workspaceId)) given.set(workspaceId, { workspaceId, roleId })
  }
  const isByDefault = defaultRole !== null && isNew && !given.has(defaultRole.workspaceId)
  const give = [...given.values(), ...(isByDefault ? [defaultRole] : [])]
  const managed = new Set(groupRoles.map(({ workspaceId }) => workspaceId))
  const take = groups === null ? [] : [...managed].filter((id) => !given.has(id) && id !== defaultRole?.workspaceId)
  return { give, take }
}
