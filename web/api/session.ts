/** The signed-in user (spec sections 3 and 4), kept in local storage. Tokens live in HttpOnly cookies only. */
import { proxy } from 'valtio/vanilla'
import type { SessionUser } from '#contract/account/account.ts'

type Features = Record<string, boolean | string>

export interface Session {
  isAuthenticated: boolean
  /** True for organization admins, who pass every permission check. */
  isGlobal: boolean
  isSSO: boolean
  isPlatformAdmin: boolean
  user: SessionUser | null
  permissions: string[]
  features: Features
}

const nobody = (): Session => ({
  isAuthenticated: false,
  isGlobal: false,
  isSSO: false,
  isPlatformAdmin: false,
  user: null,
  permissions: [],
  features: {},
})

function stored(key: string): string | null {
  return typeof localStorage === 'undefined' ? null : localStorage.getItem(key)
}

/** Returns the value of a key, or `otherwise` when it is absent or invalid. */
function parsed<Value>(key: string, otherwise: Value): Value {
  try {
    const text = stored(key)
    return text === null ? otherwise : (JSON.parse(text) as Value)
  } catch {
    return otherwise
  }
}

/** Reads the session from local storage; empty without a user. */
export function readSession(): Session {
  const user = parsed<SessionUser | null>('user', null)
  if (stored('isAuthenticated') !== 'true' || !user?.id) return nobody()
  return {
    isAuthenticated: true,
    isGlobal: stored('isGlobal') === 'true',
    isSSO: stored('isSSO') === 'true',
    isPlatformAdmin: user.isPlatformAdmin === true,
    user,
    permissions: parsed<string[]>('permissions', []),
    features: parsed<Features>('features', {}),
  }
}

export const session = proxy<Session>(readSession())

/** Stores the user returned by sign-in, registration or refresh. */
export function setSession(user: SessionUser): void {
  const next: Session = {
    isAuthenticated: true,
    isGlobal: user.isOrganizationAdmin,
    isSSO: user.isSSO,
    isPlatformAdmin: user.isPlatformAdmin,
    user,
    permissions: user.permissions,
    features: user.features,
  }
  Object.assign(session, next)
  for (const key of ['isAuthenticated', 'isGlobal', 'isSSO'] as const) localStorage.setItem(key, String(next[key]))
  for (const key of ['user', 'permissions', 'features'] as const) localStorage.setItem(key, JSON.stringify(next[key]))
}

/** Notes that the session may not change the account: an organization's identity provider opened it. */
export function noteLimited(): void {
  if (session.user) setSession({ ...(session.user as SessionUser), managesAccount: false })
}

/** Clears the user, the legacy keys and every cookie that scripts can access. */
export function clearSession(): void {
  Object.assign(session, nobody())
  for (const key of ['user', 'permissions', 'features', 'isSSO', 'username', 'password']) localStorage.removeItem(key)
  for (const key of ['isAuthenticated', 'isGlobal']) localStorage.setItem(key, 'false')
  for (const pair of document.cookie.split(';')) {
    const name = pair.split('=')[0]?.trim()
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    if (name) document.cookie = `${name}=; Max-Age=0; Path=/`
  }
}

/** Follows sign-in and sign-out in other tabs. */
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'user' || event.key === 'isAuthenticated') {
      Object.assign(session, readSession())
    }
  })
}
