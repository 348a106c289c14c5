import { describe, expect, it } from 'vitest'
import type { Platform } from '#contract/access/index.ts'
import { mayUse } from './permission.ts'
import type { Access, Actor } from './route.ts'

const user = (isOrganizationAdmin: boolean, permissions: string[]): Actor => ({
  kind: 'user',
  userId: 'u',
  sessionId: 's',
  workspaceId: 'w',
  organizationId: 'o',
  isOrganizationAdmin,
  permissions,
  features: {},
})
const key = (permissions: string[]): Actor => ({ kind: 'apiKey', keyId: 'k', workspaceId: 'w', permissions })

const actors: Record<string, Actor> = {
  nobody: { kind: 'nobody' },
  admin: user(true, []),
  member: user(false, ['chatflows:view']),
  'other member': user(false, ['tools:view']),
  key: key(['chatflows:view']),
  'other key': key(['tools:view']),
}

/** For each access who may, in cloud; in open source every user may as well. */
const table: [Access, string[], string[]][] = [
  ['public', Object.keys(actors), Object.keys(actors)],
  ['signed-in', ['admin', 'member', 'other member'], ['admin', 'member', 'other member']],
  [{ permission: 'chatflows:view' }, ['admin', 'member', 'key'], ['admin', 'member', 'other member', 'key']],
  [
    { permission: 'agentflows:view, chatflows:view' },
    ['admin', 'member', 'key'],
    ['admin', 'member', 'other member', 'key'],
  ],
  [{ permission: 'chatflows' }, ['admin'], ['admin', 'member', 'other member']],
  [{ permission: '' }, ['admin'], ['admin', 'member', 'other member']],
]

describe.each(table)('%j', (access, inCloud, inOpenSource) => {
  const allowed = (platform: Platform) =>
    Object.keys(actors).filter((name) => mayUse(access, actors[name] as Actor, platform))

  it('is decided by the actor and the platform', () => {
    expect(allowed('cloud')).toEqual(inCloud)
    expect(allowed('enterprise')).toEqual(inCloud)
    expect(allowed('open source')).toEqual(inOpenSource)
  })
})
