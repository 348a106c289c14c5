/** Letters that the product sends. */

/**
 * - `verify-email`: confirm the address of a new account
 * - `reset-password`: choose a new password
 * - `invite`: join an organization
 * - `confirm-new-email`: to the new address, before it replaces the old one
 * - `email-changed`: to the old address, with a way back
 * - `account-exists`: somebody registered with, or wanted to change to, the address of an account
 */
const LETTER_KINDS = [
  'verify-email',
  'reset-password',
  'invite',
  'confirm-new-email',
  'email-changed',
  'account-exists',
] as const

export type LetterKind = (typeof LETTER_KINDS)[number]

const HOUR = 60 * 60

/** How long the link of a letter works, in seconds. A letter that is not listed carries no token. */
export const TOKEN_SECONDS: Partial<Record<LetterKind, number>> = {
  'verify-email': 24 * HOUR,
  'reset-password': HOUR,
  invite: 7 * 24 * HOUR,
  'confirm-new-email': 24 * HOUR,
  'email-changed': 7 * 24 * HOUR,
}

/** The page that the link of a letter opens. */
export const LETTER_PAGES: Record<LetterKind, string> = {
  'verify-email': '/verify',
  'reset-password': '/reset-password',
  invite: '/invite',
  'confirm-new-email': '/confirm-email',
  'email-changed': '/undo-email',
  'account-exists': '/signin',
}
