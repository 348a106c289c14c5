/** Emails that the product sends. */

/**
 * - `verify-email`: confirm the address of a new account
 * - `reset-password`: choose a new password
 * - `invite`: join an organization
 * - `confirm-new-email`: to the new address, before it replaces the old one
 * - `email-changed`: to the old address, with a way back
 * - `account-exists`: somebody registered with, or wanted to change to, the address of an account
 */
const EMAIL_KINDS = [
  'verify-email',
  'reset-password',
  'invite',
  'confirm-new-email',
  'email-changed',
  'account-exists',
] as const

export type EmailKind = (typeof EMAIL_KINDS)[number]

const HOUR = 60 * 60

/** How long the link of an email works, in seconds. An email that is not listed carries no token. */
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
  'account-exists': '/signin',
}
