import { describe, expect, it } from 'vitest'
import type { Platform } from '#contract/access/index.ts'
import { mayUse } from './permission.ts'
import type { Access, Actor, UserActor } from './route.ts'

const user = (isOrganizationAdmin: boolean, permissions: string[], more?: Partial<UserActor>): Actor => ({
  kind: 'user',
  userId: 'u',
  name: 'U',
  sessionId: 's',
  workspaceId: 'w',
  organizationId: 'o',
  isOrganizationAdmin,
  roles: [],
  permissions,
  features: {},
  isPlatformAdmin: false,
  confirmedDate: null,
  limitedTo: null,
  ...more,
})
const key = (permissions: string[]): Actor => ({ kind: 'apiKey', keyId: 'k', workspaceId: 'w', permissions })

const actors: Record<string, Actor> = {
  nobody: { kind: 'nobody' },
  admin: user(true, []),
  member: user(false, ['chatflows:view']),
  'other member': user(false, ['tools:view']),
  'member with logs': user(false, ['chatflows:view'], { features: { 'feat:logs': 'true' } }),
  'platform admin': user(false, [], { isPlatformAdmin: true }),
  key: key(['chatflows:view']),
  'other key': key(['tools:view']),
}

const users = ['admin', 'member', 'other member', 'member with logs', 'platform admin']

/** Who may use a route in cloud or enterprise, and in open source. */
const table: [Access, string[], string[]][] = [
  ['public', Object.keys(actors), Object.keys(actors)],
  ['signed-in', users, users],
  ['account', users, users],
  [{ permission: 'chatflows:view' }, ['admin', 'member', 'member with logs', 'key'], [...users, 'key']],
  [
    { permission: 'agentflows:view, chatflows:view' },
    ['admin', 'member', 'member with logs', 'key'],
    [...users, 'key'],
  ],
  [{ permission: 'chatflows' }, ['admin'], users],
  [{ permission: '' }, ['admin'], users],
  [{ permission: 'chatflows:view', feature: 'feat:logs' }, ['admin', 'member with logs', 'key'], []],
  [{ permission: 'tools:view', feature: 'feat:logs' }, ['admin', 'other key'], []],
  [{ organizationAdminOnly: true }, ['admin'], ['admin']],
  [{ organizationAdminOnly: true, feature: 'feat:logs' }, ['admin'], []],
  [{ adminOnly: true }, ['platform admin'], ['platform admin']],
]

describe.each(table)('access to a route with %j', (access, inCloud, inOpenSource) => {
  const allowed = (platform: Platform) =>
    Object.keys(actors).filter((name) => mayUse(access, actors[name] as Actor, platform))

  it('depends on the actor and the platform', () => {
    expect(allowed('cloud')).toEqual(inCloud)
    expect(allowed('enterprise')).toEqual(inCloud)
    expect(allowed('open source')).toEqual(inOpenSource)
  })
})
