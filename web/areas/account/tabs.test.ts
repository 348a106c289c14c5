import { describe, expect, it } from 'vitest'
import type { Viewer } from '#contract/access/check.ts'
import { type AccountTab, visibleTabs } from './tabs.ts'

const page = () => null
const tabs: AccountTab[] = [
  { id: 'profile', label: 'Profile', page },
  { id: 'users', label: 'Users', permission: 'users:manage', feature: 'feat:users', page },
]
const member: Viewer = { platform: 'cloud', isGlobal: false, permissions: [], features: { 'feat:users': true } }

describe('the tabs of the account page', () => {
  it.each<[string, Viewer | undefined, string[]]>([
    ['before the platform is known', undefined, ['profile']],
    ['for a member without the permission', member, ['profile']],
    ['for a member with the permission', { ...member, permissions: ['users:manage'] }, ['profile', 'users']],
    ['for an organization admin', { ...member, isGlobal: true }, ['profile', 'users']],
    ['in open source, where no feature is on', { ...member, platform: 'open source', features: {} }, ['profile']],
  ])('are right %s', (_, viewer, ids) => expect(visibleTabs(tabs, viewer).map(({ id }) => id)).toEqual(ids))
})
