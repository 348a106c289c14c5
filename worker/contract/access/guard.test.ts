import { describe, expect, it } from 'vitest'
import { type GuardedSession, guardRoute, type RouteRules } from './guard.ts'
import type { Platform } from './platform.ts'

const member: GuardedSession = {
  isGlobal: false,
  permissions: ['datasets:view'],
  features: { 'feat:datasets': 'true' },
}
const nothing: GuardedSession = { isGlobal: false, permissions: [] }
const admin: GuardedSession = { isGlobal: true, permissions: [] }
const platformAdmin: GuardedSession = { ...admin, isPlatformAdmin: true }
const datasets: RouteRules = { permission: 'datasets:view', feature: 'feat:datasets' }

const answer = (platform: Platform, session: GuardedSession | null, route: RouteRules) => {
  const given = guardRoute({ platform, session, route })
  return given === 'pass' ? 'pass' : given.redirectTo
}

describe.each<Platform>(['open source', 'cloud', 'enterprise'])('the guard of routes in %s', (platform) => {
  it.each<RouteRules>([{}, datasets, { adminOnly: true }])('sends visitors to sign-in: %j', (route) => {
    expect(answer(platform, null, route)).toBe('/signin')
  })
  it('lets visitors open public routes', () => expect(answer(platform, null, { public: true })).toBe('pass'))
  it('sends users without admin rights from admin-only routes to /app', () => {
    expect(answer(platform, admin, { adminOnly: true })).toBe('/app')
    expect(answer(platform, platformAdmin, { adminOnly: true })).toBe('pass')
  })
})

describe('a route in open source', () => {
  it.each<[string, GuardedSession, RouteRules, string]>([
    ['a flagged route', member, { feature: 'feat:datasets' }, '/unauthorized'],
    ['a flagged route, for an admin too', admin, datasets, '/unauthorized'],
    ['a route with a permission', nothing, { permission: 'logs:view' }, 'pass'],
    ['a free route', nothing, {}, 'pass'],
  ])('is guarded: %s', (_, session, route, expected) => expect(answer('open source', session, route)).toBe(expected))
})

describe.each<Platform>(['cloud', 'enterprise'])('a route in %s', (platform) => {
  it.each<[string, GuardedSession, RouteRules, string]>([
    ['no permissions at all', nothing, { permission: 'datasets:view' }, '/unauthorized'],
    ['no permissions at all, free route', nothing, {}, '/unauthorized'],
    ['an organization admin', admin, datasets, 'pass'],
    ['a route without permission', member, {}, 'pass'],
    ['a route with a feature only', member, { feature: 'feat:other' }, 'pass'],
    ['permission and feature', member, datasets, 'pass'],
    ['one of several permissions', member, { permission: 'logs:view,datasets:view' }, 'pass'],
    ['permission, feature off', { ...member, features: {} }, datasets, '/unauthorized'],
    ['feature, no permission', member, { permission: 'logs:view', feature: 'feat:datasets' }, '/unauthorized'],
  ])('is guarded for %s', (_, session, route, expected) => expect(answer(platform, session, route)).toBe(expected))
})
