/** Emails that the product sends. */

/**
 * - `verify-email`: confirm the address of a new account
 * - `reset-password`: choose a new password
 * - `invite`: join an organization
 * - `confirm-new-email`: to the new address, before it replaces the old one
 * - `email-changed`: to the old address, with a way back
 * - `sign-in-changed`: a way to sign in was added, changed or removed
 * - `new-device`: somebody signed in from a device that the account was not used with
 * - `questions-waiting`: runs wait for answers that the person may give
 * - `account-exists`: somebody registered with, or wanted to change to, the address of an account
 */
const EMAIL_KINDS = [
  'verify-email',
  'reset-password',
  'invite',
  'confirm-new-email',
  'email-changed',
  'sign-in-changed',
  'new-device',
  'questions-waiting',
  'account-exists',
] as const

export type EmailKind = (typeof EMAIL_KINDS)[number]

/** The changes that an email of the kind `sign-in-changed` reports. */
export type SignInChange =
  | 'passkey-added'
  | 'passkey-removed'
  | 'authenticator-added'
  | 'authenticator-removed'
  | 'authenticator-removed-by-admin'
  | 'recovery-codes-renewed'
  | 'identity-linked'
  | 'identity-unlinked'
  | 'password-changed'
  | 'password-reset'
  | 'email-restored'
  | 'email-provisioned'
  | 'others-removed'

const HOUR = 60 * 60

/** The lifetime of the link in an email, in seconds. An email that is not listed carries no token. */
export const TOKEN_SECONDS: Partial<Record<EmailKind, number>> = {
  'verify-email': 24 * HOUR,
  'reset-password': HOUR,
  invite: 7 * 24 * HOUR,
  'confirm-new-email': 24 * HOUR,
  'email-changed': 7 * 24 * HOUR,
}

/** The page that the link of an email opens. */
export const EMAIL_PAGES: Record<EmailKind, string> = {
  'verify-email': '/verify',
  'reset-password': '/reset-password',
  invite: '/invite',
  'confirm-new-email': '/confirm-email',
  'email-changed': '/undo-email',
  'sign-in-changed': '/forgot-password',
  'new-device': '/forgot-password',
  'questions-waiting': '/executions',
  'account-exists': '/signin',
}

/** The page on which people see what opens their account, and where they are signed in. */
export const SECURITY_PAGE = '/account?tab=security'

/** The page on which people choose which emails they get. */
export const EMAIL_SETTINGS_PAGE = '/account?tab=emails'
