// @defends organization-provider-speaks
import { describe, expect, it } from 'vitest'
import { type Arrival, decideEntry, type KnownAccount, listPlaces } from './sso-rules.ts'

const ann: KnownAccount = {
  userId: 'ann',
  isActive: true,
  isEmailVerified: true,
  isPlatformAdmin: false,
  membership: 'member',
}

const arrival = (change: Partial<Arrival> = {}): Arrival => ({
  provider: { kind: 'oidc', organizationId: 'o' },
  identity: { email: 'ann@example.com', isEmailVerified: true },
  isDomainProven: true,
  linked: undefined,
  namesake: undefined,
  isPlatformAdminAddress: false,
  hasPlace: true,
  isInvited: false,
  ...change,
})

const outcome = (change: Partial<Arrival>) => {
  const entry = decideEntry(arrival(change))
  return entry.kind === 'refuse' ? `refused: ${entry.reason}` : entry.kind
}
const unverified = { email: 'ann@example.com', isEmailVerified: false }
const microsoft = { kind: 'microsoft', organizationId: 'o' } as const
const platform = { kind: 'google', organizationId: null } as const

describe('somebody who comes from an identity provider', () => {
  it.each<[string, Partial<Arrival>, string]>([
    ['enters when linked, whatever the address', { linked: ann, identity: unverified }, 'enter'],
    ['is linked by a verified address of a proven domain', { namesake: ann }, 'link'],
    ['is not linked by an unverified address', { namesake: ann, identity: unverified }, 'refused: unverified'],
    [
      'is not linked by an address of a domain that is not proven',
      { namesake: ann, isDomainProven: false },
      'refused: unverified',
    ],
    [
      'is not linked by what Microsoft says of addresses',
      { namesake: ann, provider: microsoft },
      'refused: unverified',
    ],
    ['is not linked by a provider of the platform', { namesake: ann, provider: platform }, 'refused: link'],
    ['is not linked with an admin', { namesake: { ...ann, membership: 'admin' } }, 'refused: link'],
    ['takes over an account that nobody confirmed', { namesake: { ...ann, isActive: false } }, 'take-over'],
    [
      'is not linked with an outsider who never confirmed the address',
      { namesake: { ...ann, isEmailVerified: false, membership: 'none' } },
      'refused: link',
    ],
    ['is refused when disabled', { linked: { ...ann, membership: 'disabled' } }, 'refused: disabled'],
    [
      'is refused when the address is of a disabled member',
      { namesake: { ...ann, membership: 'disabled' } },
      'refused: disabled',
    ],
    ['is never the platform admin', { linked: { ...ann, isPlatformAdmin: true } }, 'refused: platform_admin'],
    [
      'is never linked with the platform admin',
      { namesake: { ...ann, isPlatformAdmin: true } },
      'refused: platform_admin',
    ],
    ['never becomes the platform admin', { isPlatformAdminAddress: true }, 'refused: platform_admin'],
    [
      'confirms no address that makes its account the platform admin',
      { namesake: { ...ann, isEmailVerified: false, membership: 'member' }, isPlatformAdminAddress: true },
      'refused: platform_admin',
    ],
    ['is created with a place', {}, 'create'],
    ['is not created without a place', { hasPlace: false }, 'refused: not_invited'],
    ['is not created under an unverified address', { identity: unverified }, 'refused: unverified'],
    ['is created by Microsoft for a proven domain', { provider: microsoft }, 'create'],
    ['is not created by Microsoft elsewhere', { provider: microsoft, isDomainProven: false }, 'refused: unverified'],
    ['is created when invited', { hasPlace: false, isInvited: true }, 'create'],
    [
      'is not created by Microsoft when invited: it vouches for no address',
      { hasPlace: false, isInvited: true, provider: microsoft },
      'refused: not_invited',
    ],
    [
      'joins through the platform when invited',
      { hasPlace: false, isInvited: true, provider: platform, linked: { ...ann, membership: 'none' } },
      'enter',
    ],
    [
      'does not join through the platform by its default role',
      { provider: platform, linked: { ...ann, membership: 'none' } },
      'refused: not_invited',
    ],
    [
      'does not join by an invitation of an address that nobody vouches for',
      { hasPlace: false, isInvited: true, identity: unverified, linked: { ...ann, membership: 'none' } },
      'refused: not_invited',
    ],
    ['joins an organization with a place', { linked: { ...ann, membership: 'none' } }, 'enter'],
    [
      'does not join without a place',
      { linked: { ...ann, membership: 'none' }, hasPlace: false },
      'refused: not_invited',
    ],
  ])('%s', (_, change, expected) => expect(outcome(change)).toBe(expected))
})

describe('the places that a sign-in gives', () => {
  const settings = {
    defaultRole: { workspaceId: 'w', roleId: 'viewer' },
    groupRoles: [
      { group: 'leads', workspaceId: 'w', roleId: 'editor' },
      { group: 'staff', workspaceId: 'w', roleId: 'viewer' },
      { group: 'ops', workspaceId: 'x', roleId: 'viewer' },
    ],
  }
  const editor = { workspaceId: 'w', roleId: 'editor' }
  const viewer = { workspaceId: 'w', roleId: 'viewer' }
  it.each<[string, { groups: string[] | null; isNew: boolean }, ReturnType<typeof listPlaces>]>([
    ['take the first line that matches', { groups: ['staff', 'leads'], isNew: false }, { give: [editor], take: ['x'] }],
    ['include the default role for new people', { groups: [], isNew: true }, { give: [viewer], take: ['x'] }],
    ['change nothing when no groups are named', { groups: null, isNew: false }, { give: [], take: [] }],
  ])('%s', (_, given, expected) => expect(listPlaces(settings, given)).toEqual(expected))
})
