import type { SessionUser } from '#contract/account.ts'
import { api } from './client.ts'
import { session, setSession } from './session.ts'

/**
 * Whether somebody is signed in. A browser that has the session's cookies but has lost what it knew of the user
 * (cleared storage) asks the server.
 */
export async function restoreSession(): Promise<boolean> {
  if (session.isAuthenticated) return true
  if (!document.cookie.includes('XSRF-TOKEN=')) return false
  try {
    setSession(await api.get<SessionUser>('/auth/me'))
    return true
  } catch {
    return false
  }
}
