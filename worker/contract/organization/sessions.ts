/** Sign-in requests and results. */
import type { SsoRefusalReason } from './sso.ts'

export const SIGN_IN_METHODS = ['password', 'passkey', 'sso', 'invite', 'verify'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/** `second_step`: the password was right, and a code was asked for. */
export const SIGN_IN_RESULTS = [
  'success',
  'second_step',
  'wrong_password',
  'wrong_code',
  'unknown_account',
  'disabled',
  'unverified',
  'sso_required',
  'sso_expired',
  'sso_denied',
  'sso_failed',
  'sso_off',
  'sso_unverified',
  'sso_link',
  'sso_disabled',
  'sso_not_invited',
  'sso_no_workspace',
  'sso_platform_admin',
  'limited',
] as const
export type SignInResult = (typeof SIGN_IN_RESULTS)[number]

/**
 * Returns the entry in login activity for a refused sign-in with a provider. `taken` occurs when accounts are linked.
 */
export const resultOfRefusal = (reason: SsoRefusalReason): SignInResult =>
  reason === 'taken' ? 'sso_failed' : `sso_${reason}`
