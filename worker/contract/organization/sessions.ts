/** How people sign in, and what becomes of it. */

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
  'sso_refused',
  'limited',
] as const
export type SignInResult = (typeof SIGN_IN_RESULTS)[number]
