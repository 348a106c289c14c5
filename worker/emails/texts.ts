/** The texts of emails, in plain text. */
import type { EmailKind } from '#contract/organization/emails.ts'

interface EmailText {
  subject: string
  text: string
}

/** What an email's row keeps for its text. */
export type EmailNames = Partial<Record<'inviter' | 'organization' | 'newEmail', string>>

const IGNORE = 'If this was not you, ignore this email.'

const TEXTS: Record<EmailKind, (link: string, names: EmailNames) => EmailText> = {
  'verify-email': (link) => ({
    subject: 'Confirm your email address',
    text: `Open this link to confirm your address for Heddle. It works once, for 24 hours.\n\n${link}\n\nIf you did not sign up, do not open it.`,
  }),
  'reset-password': (link) => ({
    subject: 'Choose a new password',
    text: `Open this link to choose a new password for Heddle. It works once, for one hour.\n\n${link}\n\n${IGNORE} Your password stays as it is.`,
  }),
  invite: (link, { inviter = 'Somebody', organization = 'an organization' }) => ({
    subject: `Join ${plainName(organization)} on Heddle`,
    text: `${plainName(inviter)} invited you to ${plainName(organization)} on Heddle. The link works once, for 7 days.\n\n${link}\n\nIf you do not know them, ignore this email.`,
  }),
  'confirm-new-email': (link) => ({
    subject: 'Confirm your new email address',
    text: `Open this link in a browser where you are signed in to Heddle, and your account uses this address from then on. It works once, for 24 hours.\n\n${link}\n\n${IGNORE}`,
  }),
  'email-changed': (link, { newEmail = 'another address' }) => ({
    subject: 'Your email address was changed',
    text: `Your Heddle account now uses ${newEmail}. If this was not you, open this link to undo it. It works once, for 7 days.\n\n${link}`,
  }),
  'account-exists': (link) => ({
    subject: 'You already have an account',
    text: `Somebody wanted to use this address for a Heddle account, but it has one already. Sign in here:\n\n${link}\n\n${IGNORE}`,
  }),
}

export function emailText(kind: EmailKind, link: string, names: EmailNames): EmailText {
  return TEXTS[kind](link, names)
}

/** A name that somebody else chose, as one short line that no mail program turns into a link. */
function plainName(name: string): string {
  const words = name.slice(0, 60).replace(/[^\p{L}\p{M}\p{N} '’&,-]/gu, ' ')
  return words.trim().replace(/ +/g, ' ') || 'somebody'
}
