import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionUser } from '#contract/account/account.ts'
import { clearSession, readSession, session, setSession } from './session.ts'

const ada: SessionUser = {
  id: 'u1',
  email: 'ada@example.com',
  name: 'Ada',
  status: 'active',
  role: null,
  roles: [],
  isSSO: false,
  managesAccount: true,
  activeOrganizationId: 'o1',
  activeOrganizationSubscriptionId: null,
  activeOrganizationCustomerId: null,
  activeOrganizationProductId: null,
  activeWorkspaceId: 'w1',
  activeWorkspace: 'Default Workspace',
  lastLogin: null,
  isOrganizationAdmin: true,
  isPlatformAdmin: false,
  assignedWorkspaces: [{ id: 'w1', name: 'Default Workspace' }],
  permissions: ['agentflows:view'],
  features: { 'feat:logs': 'true' },
}

const storage = new Map<string, string>()
const cookies = new Map<string, string>()

beforeEach(() => {
  storage.clear()
  cookies.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
  vi.stubGlobal('document', {
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(text: string) {
      const [name = '', value = ''] = text.split(';')[0]?.split('=') ?? []
      if (/max-age=0/i.test(text)) cookies.delete(name)
      else cookies.set(name, value)
    },
  })
})

afterEach(() => vi.unstubAllGlobals())

describe('session', () => {
  it('is set from the user and survives a reload without storing tokens', () => {
    setSession({ ...ada })
    expect(session).toMatchObject({ isAuthenticated: true, isGlobal: true, permissions: ['agentflows:view'] })
    expect(readSession()).toEqual({ ...session })
    expect([...storage.keys()].sort()).toEqual(
      ['features', 'isAuthenticated', 'isGlobal', 'isSSO', 'permissions', 'user'].sort(),
    )
  })

  it('sets isGlobal for organization admins', () => {
    setSession({ ...ada, isOrganizationAdmin: false })
    expect(session.isGlobal).toBe(false)
    expect(storage.get('isGlobal')).toBe('false')
  })

  it('knows the platform admin, after a reload too', () => {
    setSession({ ...ada, isPlatformAdmin: true })
    expect([session.isPlatformAdmin, readSession().isPlatformAdmin]).toEqual([true, true])
    setSession({ ...ada })
    expect([session.isPlatformAdmin, readSession().isPlatformAdmin]).toEqual([false, false])
  })

  it('is cleared with legacy keys and cookies but keeps the appearance', () => {
    setSession({ ...ada })
    for (const key of ['username', 'password']) storage.set(key, 'old')
    storage.set('isDarkMode', 'true')
    cookies.set('XSRF-TOKEN', 'x').set('other', 'y')
    clearSession()
    expect(session).toMatchObject({
      isAuthenticated: false,
      isGlobal: false,
      user: null,
      permissions: [],
      features: {},
    })
    expect(Object.fromEntries(storage)).toEqual({ isAuthenticated: 'false', isGlobal: 'false', isDarkMode: 'true' })
    expect(cookies.size).toBe(0)
  })

  it.each([
    ['nothing', {}],
    ['a flag without a user', { isAuthenticated: 'true' }],
    ['a damaged user', { isAuthenticated: 'true', user: '{' }],
    ['a user who was signed out', { isAuthenticated: 'false', user: JSON.stringify(ada) }],
  ])('is empty with %s', (_case, stored) => {
    for (const [key, value] of Object.entries(stored)) storage.set(key, value)
    expect(readSession()).toMatchObject({ isAuthenticated: false, user: null })
  })
})
