import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { Platform } from '#contract/access/index.ts'
import type { Services } from '../services.ts'
import { checkPermission, mayUse } from './permission.ts'
import type { Access, Actor, AppEnv, Route, UserActor } from './route.ts'

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

describe('a refused caller', () => {
  const refused = async (access: Access, actor: Actor, platformType: Platform) => {
    const app = new Hono<AppEnv>()
    app.use(async (c, next) => {
      c.set('route', { access } as Route)
      c.set('actor', actor)
      c.set('services', { config: { platformType } } as Services)
      await next()
    })
    app.get('/', checkPermission)
    app.onError((error, c) => c.text(error.message))
    return (await app.request('/')).text()
  }
  const roles = { permission: 'roles:manage', feature: 'feat:roles' }

  it.each([
    [{ permission: 'agentflows:view,chatflows:view' }, 'the permission “Agentflows: View” or “Chatflows: View”.'],
    [roles, 'You need the permission “Roles: Manage”.'],
  ])('is told the permission in the words of the pages: %j', async (access, words) => {
    expect(await refused(access, user(false, []), 'cloud')).toContain(words)
  })

  it('is told that a feature is off when nothing else is missing', async () => {
    const words = 'You are not allowed to do this. “Roles” is not switched on here.'
    expect(await refused(roles, user(false, ['roles:manage']), 'cloud')).toBe(words)
    expect(await refused(roles, user(false, []), 'open source')).toBe(words)
  })
})
