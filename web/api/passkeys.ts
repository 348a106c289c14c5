/** Passkeys of this browser. Loaded with the first use of one. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { SessionUser } from '#contract/account/account.ts'
import type { Passkey, PasskeyOptions, PasskeyQuestion } from '#contract/organization/passkeys.ts'
import { api } from './client.ts'

/** Returns undefined when the person cancels. */
export async function signInWithPasskey(): Promise<SessionUser | undefined> {
  const passkey = await answerTo(await api.post<PasskeyQuestion>('/auth/passkey/options'))
  return passkey && api.post<SessionUser>('/auth/passkey', { passkey })
}

/** Returns false when the person cancels. */
export async function confirmWithPasskey(): Promise<boolean> {
  const passkey = await answerTo(await api.post<PasskeyQuestion>('/auth/confirm/options'))
  if (!passkey) return false
  await api.post('/auth/confirm', { passkey })
  return true
}

/** Returns undefined when the person cancels. */
export async function addPasskey(name: string): Promise<Passkey | undefined> {
  const optionsJSON = await api.post<PasskeyOptions>('/account/passkeys/options')
  const passkey = await startRegistration({ optionsJSON }).catch(ignoreCancelled)
  return passkey && api.post<Passkey>('/account/passkeys', { name, passkey })
}

const answerTo = (optionsJSON: PasskeyQuestion) => startAuthentication({ optionsJSON }).catch(ignoreCancelled)

/** Browsers say no more than that it was not allowed: cancelled, or too late. */
function ignoreCancelled(error: unknown): undefined {
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return undefined
  throw error
}
