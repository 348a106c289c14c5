import type { SessionUser } from '#contract/account/account.ts'
import { api } from './client.ts'
import { session, setSession } from './session.ts'

/** Returns true when a user is signed in. Asks the server when there are session cookies but no stored user. */
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
