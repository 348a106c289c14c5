import { describe, expect, it } from 'vitest'
import { hasFeature, holds, holdsOneOf, passesFeature, type Viewer } from './check.ts'
import { platformOf } from './platform.ts'

const member: Viewer = { platform: 'enterprise', isGlobal: false, permissions: ['tools:view', 'logs:view'] }
const admin: Viewer = { ...member, isGlobal: true, permissions: [] }
const outsider: Viewer = { ...member, platform: 'open source', permissions: [] }

describe('platformOf', () => {
  it.each([
    ['enterprise', 'enterprise'],
    ['cloud', 'cloud'],
    ['', 'open source'],
    [undefined, 'open source'],
    ['Cloud', 'open source'],
    ['x', 'open source'],
  ])('%j is %s', (value, platform) => expect(platformOf(value)).toBe(platform))
})

describe('holds', () => {
  it.each<[string, Viewer, string | undefined, boolean]>([
    ['open source passes', outsider, 'users:manage', true],
    ['open source passes without requirement', outsider, '', true],
    ['an organization admin passes', admin, 'users:manage', true],
    ['an organization admin passes in cloud', { ...admin, platform: 'cloud' }, 'sso:manage', true],
    ['a member who holds it', member, 'tools:view', true],
    ['a member who holds one of several', member, 'users:manage,logs:view', true],
    ['blanks around the comma', member, 'users:manage , logs:view', true],
    ['a member who holds none of several', member, 'users:manage,roles:manage', false],
    ['a member who does not', member, 'tools:update', false],
    ['part of a name', member, 'tools', false],
    ['an empty requirement', member, '', false],
    ['no requirement', member, undefined, false],
    ['commas only', { ...member, permissions: [''] }, ' , ', false],
    ['a member in cloud', { ...member, platform: 'cloud' }, 'users:manage', false],
  ])('checks the permissions of %s', (_, viewer, requirement, expected) =>
    expect(holds(viewer, requirement)).toBe(expected),
  )
})

describe('holdsOneOf', () => {
  it('knows no platform and no admin', () => {
    expect(holdsOneOf(['a:view'], 'a:view,b:view')).toBe(true)
    expect(holdsOneOf(['a:view'], 'b:view')).toBe(false)
    expect(holdsOneOf([], '')).toBe(false)
  })
})

describe('hasFeature', () => {
  it.each<[string, unknown, string | undefined, boolean]>([
    ['true', { 'feat:logs': true }, 'feat:logs', true],
    ["'true'", { 'feat:logs': 'true' }, 'feat:logs', true],
    ['false', { 'feat:logs': false }, 'feat:logs', false],
    ["'false'", { 'feat:logs': 'false' }, 'feat:logs', false],
    ['1', { 'feat:logs': 1 }, 'feat:logs', false],
    ['another flag', { 'feat:files': true }, 'feat:logs', false],
    ['an empty map', {}, 'feat:logs', false],
    ['no map', undefined, 'feat:logs', false],
    ['null', null, 'feat:logs', false],
    ['an array', ['feat:logs'], 'feat:logs', false],
    ['an array with that key', Object.assign([], { 'feat:logs': true }), 'feat:logs', false],
    ['a text', 'feat:logs', 'feat:logs', false],
    ['inherited', Object.create({ 'feat:logs': true }), 'feat:logs', false],
    ['no flag asked', undefined, undefined, true],
    ['no flag asked of an array', [], '', true],
  ])('reads a feature map with %s', (_, features, flag, expected) =>
    expect(hasFeature({ features }, flag)).toBe(expected),
  )
})

describe('passesFeature', () => {
  const on = { 'feat:logs': true }
  it.each<[string, Viewer, string | undefined, boolean]>([
    ['passes a member whose flag is on', { ...member, features: on }, 'feat:logs', true],
    ['refuses a member whose flag is off', member, 'feat:logs', false],
    ['passes an organization admin', admin, 'feat:logs', true],
    ['refuses everybody in open source', { ...admin, platform: 'open source', features: on }, 'feat:logs', false],
    ['passes everybody where no flag is asked for', outsider, undefined, true],
  ])('%s', (_, viewer, flag, expected) => expect(passesFeature(viewer, flag)).toBe(expected))
})
