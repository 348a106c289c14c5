// @defends page-poses-site
// @defends anonymous-key-workspace
import { expect, it } from 'vitest'
import { type CallableFlow, type Callers, callRefusal, type OutsideCaller } from './callers.ts'

const SITE = 'https://good.example'
const flowOf = (callers: Callers, more: Partial<CallableFlow> = {}): CallableFlow => ({
  id: 'f',
  type: 'AGENTFLOW',
  workspaceId: 'w',
  callers,
  apikeyid: null,
  chatbotConfig: JSON.stringify({ allowedOrigins: callers === 'sites' ? [SITE] : [] }),
  ...more,
})

const keyOf = (id: string, more: object = {}) => ({
  id,
  workspaceId: 'w',
  permissions: ['agentflows:view'],
  flowIds: null,
  expiresDate: null,
  lastUsedDate: null,
  ...more,
})

const callers: Record<string, OutsideCaller> = {
  anonymous: {},
  'a page of the site': { origin: SITE },
  'a page of another site': { origin: 'https://evil.example' },
  'a key': { key: keyOf('k') },
  'a key from another site': { key: keyOf('k'), origin: 'https://evil.example' },
  'a key without the permission': { key: keyOf('k', { permissions: ['variables:view', 'chatflows:view'] }) },
  'a key for this flow': { key: keyOf('k', { permissions: [], flowIds: ['f'] }) },
  'a key for other flows': { key: keyOf('k', { permissions: [], flowIds: ['g'] }) },
  'a foreign key for this flow': { key: keyOf('k', { workspaceId: 'other', permissions: [], flowIds: ['f'] }) },
  'a key of another workspace': { key: keyOf('k', { workspaceId: 'other' }) },
}

it.each<[Callers, string, string | undefined]>([
  ['members', 'anonymous', 'unauthorized'],
  ['members', 'a page of the site', 'unauthorized'],
  ['members', 'a key', 'forbidden'],
  ['keys', 'anonymous', 'unauthorized'],
  ['keys', 'a page of the site', 'unauthorized'],
  ['keys', 'a key', undefined],
  ['keys', 'a key from another site', undefined],
  ['keys', 'a key without the permission', 'forbidden'],
  ['keys', 'a key of another workspace', 'unauthorized'],
  ['keys', 'a key for this flow', undefined],
  ['keys', 'a key for other flows', 'forbidden'],
  ['keys', 'a foreign key for this flow', 'unauthorized'],
  ['members', 'a key for this flow', 'forbidden'],
  ['sites', 'a key for this flow', undefined],
  ['sites', 'anonymous', 'unauthorized'],
  ['sites', 'a page of the site', undefined],
  ['sites', 'a page of another site', 'unauthorized'],
  ['sites', 'a key', undefined],
  ['sites', 'a key without the permission', 'unauthorized'],
  ['sites', 'a key of another workspace', 'unauthorized'],
  ['everyone', 'anonymous', undefined],
  ['everyone', 'a page of another site', undefined],
  ['everyone', 'a key of another workspace', undefined],
])('a flow for %s answers %s with %s', (to, caller, code) => {
  expect(callRefusal(flowOf(to), callers[caller] as OutsideCaller)?.code).toBe(code)
})

it.each<Callers>(['keys', 'sites', 'everyone'])('a flow for %s with a key of its own accepts that key only', (to) => {
  const flow = flowOf(to, { apikeyid: 'own' })
  const codeOf = (caller: OutsideCaller) => callRefusal(flow, caller)?.code
  expect(codeOf({ key: keyOf('own', { permissions: [] }) })).toBeUndefined()
  expect(codeOf({})).toBe('unauthorized')
  expect(codeOf({ origin: SITE })).toBe('unauthorized')
  expect(codeOf({ key: keyOf('k') })).toBe('unauthorized')
  expect(codeOf({ key: keyOf('own', { workspaceId: 'other' }) })).toBe('unauthorized')
})

it('a flow for members accepts no key, not even its own', () => {
  expect(callRefusal(flowOf('members', { apikeyid: 'own' }), { key: keyOf('own') })?.code).toBe('forbidden')
})

it('pages of other sites are refused wherever sites are listed, in the owner’s words', () => {
  const chatbotConfig = JSON.stringify({ allowedOrigins: ['good.example'], allowedOriginsError: 'Not here' })
  const flow = flowOf('everyone', { chatbotConfig })
  expect(callRefusal(flow, callers['a page of another site'] as OutsideCaller)?.message).toBe('Not here')
  expect(callRefusal(flow, { origin: SITE })).toBeUndefined()
  expect(callRefusal(flow, {})).toBeUndefined()
})

it('a flow for sites that lists none answers keys only', () => {
  const flow = flowOf('sites', { chatbotConfig: null })
  expect(callRefusal(flow, { origin: SITE })?.code).toBe('unauthorized')
  expect(callRefusal(flow, { key: keyOf('k') })).toBeUndefined()
})

it.each([
  ['https://good.example', 'https://good.example', true],
  ['https://good.example/', 'https://good.example', true],
  ['good.example', 'https://good.example', true],
  ['https://good.example:443', 'https://good.example', true],
  ['http://localhost:3000', 'http://localhost:3000', true],
  ['https://good.example', 'http://good.example', false],
  ['good.example', 'http://good.example', false],
  ['http://good.example', 'https://good.example', false],
  ['https://good.example', 'https://good.example:8443', false],
  ['https://good.example', 'https://good.example.evil.example', false],
  ['null', 'null', false],
])('a flow for pages of %s answers those of %s: %s', (site, origin, isAllowed) => {
  const flow = flowOf('sites', { chatbotConfig: JSON.stringify({ allowedOrigins: [site] }) })
  expect(callRefusal(flow, { origin }) === undefined).toBe(isAllowed)
})
