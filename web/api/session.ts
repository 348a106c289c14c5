/**
 * Who is signed in, as the browser knows it (spec sections 3 and 4), kept in local storage under the spec's keys.
 * Tokens are never here: they live in HttpOnly cookies.
 */
import { proxy } from 'valtio/vanilla'
import type { SessionUser } from '#contract/account.ts'

export type Features = Record<string, boolean | string>

export interface Session {
  isAuthenticated: boolean
  /** Organisation admin: every permission check passes. */
  isGlobal: boolean
  isSSO: boolean
  user: SessionUser | null
  permissions: string[]
  features: Features
}

const nobody = (): Session => ({
  isAuthenticated: false,
  isGlobal: false,
  isSSO: false,
  user: null,
  permissions: [],
  features: {},
})

function stored(key: string): string | null {
  return typeof localStorage === 'undefined' ? null : localStorage.getItem(key)
}

/** The value under a key, or `otherwise` when it is absent or was damaged by hand. */
function parsed<Value>(key: string, otherwise: Value): Value {
  try {
    const text = stored(key)
    return text === null ? otherwise : (JSON.parse(text) as Value)
  } catch {
    return otherwise
  }
}

/** The session as local storage holds it; without a user there is none. */
export function readSession(): Session {
  const user = parsed<SessionUser | null>('user', null)
  if (stored('isAuthenticated') !== 'true' || !user?.id) return nobody()
  return {
    isAuthenticated: true,
    isGlobal: stored('isGlobal') === 'true',
    isSSO: stored('isSSO') === 'true',
    user,
    permissions: parsed<string[]>('permissions', []),
    features: parsed<Features>('features', {}),
  }
}

export const session = proxy<Session>(readSession())

/** Takes over the user that sign-in, registration or refresh answered. */
export function setSession(user: SessionUser): void {
  const next: Session = {
    isAuthenticated: true,
    isGlobal: user.isOrganizationAdmin,
    isSSO: user.isSSO,
    user,
    permissions: user.permissions,
    features: user.features,
  }
  Object.assign(session, next)
  for (const key of ['isAuthenticated', 'isGlobal', 'isSSO'] as const) localStorage.setItem(key, String(next[key]))
  for (const key of ['user', 'permissions', 'features'] as const) localStorage.setItem(key, JSON.stringify(next[key]))
}

/** Forgets the user, the legacy keys and every cookie that a script can reach. */
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

/** Another tab signed in or out: follow it. */
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'user' || event.key === 'isAuthenticated') {
      Object.assign(session, readSession())
    }
  })
}
