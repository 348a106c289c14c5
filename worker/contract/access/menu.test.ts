import { describe, expect, it } from 'vitest'
import { isMenuItemVisible, type MenuRules, type MenuViewer, userMenuItems } from './menu.ts'

const member: MenuViewer = {
  platform: 'cloud',
  isGlobal: false,
  permissions: ['templates:custom', 'datasets:view'],
  features: { 'feat:datasets': true },
}
const admin: MenuViewer = { ...member, isGlobal: true, permissions: [] }
const support: MenuViewer = { ...admin, isPlatformAdmin: true }
const free: MenuViewer = { ...member, platform: 'open source', permissions: [], features: {} }

describe('isMenuItemVisible', () => {
  it.each<[string, MenuRules, MenuViewer, boolean]>([
    ['one of several permissions', { permission: 'templates:marketplace,templates:custom' }, member, true],
    ['none of them', { permission: 'logs:view' }, member, false],
    ['no permission asked', {}, member, true],
    ['permission and feature', { permission: 'datasets:view', feature: 'feat:datasets' }, member, true],
    ['permission without feature', { permission: 'datasets:view', feature: 'feat:evaluators' }, member, false],
    ['feature without permission', { permission: 'logs:view', feature: 'feat:datasets' }, member, false],
    ['an admin still needs the feature', { permission: 'logs:view', feature: 'feat:logs' }, admin, false],
    ['open source has no features', { permission: 'datasets:view', feature: 'feat:datasets' }, free, false],
    ['open source holds all permissions', { permission: 'logs:view' }, free, true],
    ['a cloud-admin item for an admin', { cloudAdmin: true }, admin, false],
    ['a cloud-admin item in open source', { cloudAdmin: true }, free, false],
    ['a cloud-admin item for the support account', { cloudAdmin: true }, support, true],
    ['its feature is still asked for', { cloudAdmin: true, feature: 'feat:users' }, support, false],
  ])('decides by the rules for %s', (_, item, viewer, visible) => expect(isMenuItemVisible(item, viewer)).toBe(visible))
})

describe('userMenuItems', () => {
  it.each<[string, MenuViewer, string[]]>([
    ['open source', free, ['export', 'import', 'updateProfile', 'logout']],
    ['cloud', admin, ['export', 'import', 'logout']],
    ['a member without', { ...member, platform: 'enterprise' }, ['updateProfile', 'logout']],
    [
      'a member who exports',
      { ...member, platform: 'enterprise', permissions: ['workspace:export'] },
      ['export', 'updateProfile', 'logout'],
    ],
    [
      'a member who imports',
      { ...member, platform: 'enterprise', permissions: ['workspace:import'] },
      ['import', 'updateProfile', 'logout'],
    ],
    ['an SSO user', { ...free, isSSO: true }, ['export', 'import', 'logout']],
  ])('lists the items for %s', (_, viewer, items) => expect(userMenuItems(viewer)).toEqual(items))
})
