import { queryOptions } from '@tanstack/react-query'
import type { NewAuthenticator, OwnSession, RecoveryCodes, Security } from '#contract/organization/security.ts'
import type { Identities } from '#contract/organization/sso.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'
import { listWays, type WayKey } from './ways.ts'

export const securityQuery = queryOptions({
  queryKey: keys.one('security', 'own'),
  queryFn: () => api.get<Security>('/account/security'),
})

export const sessionsQuery = queryOptions({
  queryKey: keys.list('security', { of: 'sessions' }),
  queryFn: () => api.get<OwnSession[]>('/account/sessions'),
})

export const waysQuery = queryOptions({
  queryKey: keys.one('security', 'ways'),
  queryFn: async () => {
    const [security, { identities }, sessions] = await Promise.all([
      api.get<Security>('/account/security'),
      api.get<Identities>('/account/identities'),
      api.get<OwnSession[]>('/account/sessions'),
    ])
    return listWays({ security, identities, sessions })
  },
})

const refreshed = async <Result>(call: Promise<Result>): Promise<Result> => {
  const result = await call
  await invalidate('security')
  return result
}

/** Returns what the server says, whether the address can be used or not. */
export const requestNewEmail = async (email: string) =>
  (await api.post<{ message: string }>('/account/email', { email })).message

export const startAuthenticator = () => api.post<NewAuthenticator>('/account/authenticator')
export const confirmAuthenticator = (code: string) =>
  refreshed(api.post<RecoveryCodes>('/account/authenticator/confirm', { code }))
export const removeAuthenticator = () => refreshed(api.delete('/account/authenticator'))
export const renewRecoveryCodes = () => refreshed(api.post<RecoveryCodes>('/account/recovery-codes'))
export const removeSignInMethods = () => refreshed(api.delete('/account/sign-in-methods'))
export const endSession = (id: string) => refreshed(api.delete(`/account/sessions/${id}`))
export const endOtherSessions = () => refreshed(api.delete<{ ended: number }>('/account/sessions'))
export const changePassword = (given: { currentPassword: string; newPassword: string }) =>
  refreshed(api.put('/account/password', given))

export const addPasskey = async (name: string) => {
  const passkeys = await import('../../api/passkeys.ts')
  return refreshed(passkeys.addPasskey(name))
}
export const renamePasskey = (id: string, name: string) => refreshed(api.patch(`/account/passkeys/${id}`, { name }))
export const removePasskey = (id: string) => refreshed(api.delete(`/account/passkeys/${id}`))

const unlinkIdentity = (identity: { issuer: string; subject: string }) =>
  refreshed(api.post('/account/identities/unlink', identity))

/** Removes one way into the account. */
export function removeWay(what: WayKey): Promise<unknown> {
  switch (what.kind) {
    case 'passkey':
      return removePasskey(what.id)
    case 'session':
      return endSession(what.id)
    case 'app':
      return removeAuthenticator()
    case 'identity':
      return unlinkIdentity({ issuer: what.issuer, subject: what.subject })
  }
}
