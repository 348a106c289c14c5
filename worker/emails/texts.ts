/** The texts of emails, in plain text. */
import type { EmailKind, SignInChange } from '#contract/organization/emails.ts'

interface EmailText {
  subject: string
  text: string
  /** When its reader need do nothing; by default, if they did it. */
  unless?: string
}

/** The values that an email's row keeps for its text. */
export type EmailNames = Partial<Record<'inviter' | 'organization' | 'newEmail' | NoticeName | QuestionsName, string>>

/** `from`: a device, a network address and a country, as the list of sessions shows them. */
type NoticeName = 'change' | 'detail' | 'from'

/** `flows`: a JSON list of names; `page`: what follows the page of the link. */
type QuestionsName = 'count' | 'workspace' | 'flows' | 'page'

/** What is known when an email goes. */
interface Sending {
  link: string
  /** Where people see what opens their account. */
  securityPage: string
  /** Where people choose which emails they get. */
  emailSettingsPage: string
  /** When the email was queued, with the change that it is about. */
  createdDate: string
}

const IGNORE = 'If this was not you, ignore this email.'

/** @param detail a name that somebody chose, or an address */
const CHANGES: Record<SignInChange, (detail: string) => EmailText> = {
  'passkey-added': (name) => ({
    subject: 'A passkey was added to your account',
    text: `The passkey ${plainName(name)} was added to your Heddle account. It signs in without your password.`,
  }),
  'passkey-removed': (name) => ({
    subject: 'A passkey was removed from your account',
    text: `The passkey ${plainName(name)} was removed from your Heddle account. It no longer signs in.`,
  }),
  'authenticator-added': () => ({
    subject: 'Two-step sign-in was turned on',
    text: 'An authenticator app was added to your Heddle account. Signing in with your password now needs its code.',
  }),
  'authenticator-removed': () => ({
    subject: 'Two-step sign-in was turned off',
    text: 'The authenticator app was removed from your Heddle account, with its recovery codes. Your password signs in alone now.',
  }),
  'authenticator-removed-by-admin': (admin) => ({
    subject: 'Two-step sign-in was turned off',
    text: `${plainName(admin)} administers your organization, and removed the authenticator app from your Heddle account, with its recovery codes. Your password signs in alone now. All sessions ended.`,
    unless: 'If you asked for it',
  }),
  'recovery-codes-renewed': () => ({
    subject: 'New recovery codes were made',
    text: 'New recovery codes were made for your Heddle account. The old ones stopped working.',
  }),
  'identity-linked': (provider) => ({
    subject: 'A sign-in provider was linked with your account',
    text: `An identity at ${plainName(provider)} was linked with your Heddle account, and signs in to it.`,
  }),
  'identity-unlinked': (provider) => ({
    subject: 'A sign-in provider was unlinked from your account',
    text: `An identity at ${plainName(provider)} was unlinked from your Heddle account. It no longer signs in.`,
  }),
  'password-changed': () => ({
    subject: 'Your password was changed',
    text: 'The password of your Heddle account was changed. All other sessions ended.',
  }),
  'password-reset': () => ({
    subject: 'Your password was reset',
    text: 'A new password for your Heddle account was chosen with a link from an email. All sessions ended.',
  }),
  'email-restored': (address) => ({
    subject: 'The change of your email address was undone',
    text: `Your Heddle account uses ${address} again, by the link that went there. All sessions ended.`,
  }),
  'email-provisioned': (address) => ({
    subject: 'Your email address was changed',
    text: `Your organization’s directory changed the address of your Heddle account to ${address}.`,
  }),
  'others-removed': () => ({
    subject: 'All other ways to sign in were removed',
    text: 'Everything but the password was removed from what opens your Heddle account: passkeys, the authenticator app with its recovery codes, and linked identities. All other sessions ended.',
  }),
}

type Write = (sending: Sending, names: EmailNames) => EmailText

/** An email that asks for nothing unless it was somebody else. */
const noticeOf =
  (said: (names: EmailNames) => EmailText): Write =>
  (sending, names) => {
    const { link, securityPage } = sending
    const { subject, text, unless = 'If this was you' } = said(names)
    const wayOut = `${unless}, there is nothing to do. If not, choose a new password, and remove what you did not add:\n\n${link}`
    return {
      subject,
      text: `${text}\n\n${factsOf(sending, names)}\n\n${wayOut}\n\nSee what opens your account, and where you are signed in:\n\n${securityPage}`,
    }
  }

const factsOf = ({ createdDate }: Sending, { from }: EmailNames) =>
  [`When: ${timeOf(createdDate)}`, ...(from ? [`From: ${from}`] : [])].join('\n')

const TEXTS: Record<EmailKind, Write> = {
  'verify-email': ({ link }) => ({
    subject: 'Confirm your email address',
    text: `Open this link to confirm your address for Heddle. It works once, for 24 hours.\n\n${link}\n\nIf you did not sign up, do not open it.`,
  }),
  'reset-password': ({ link }) => ({
    subject: 'Choose a new password',
    text: `Open this link to choose a new password for Heddle. It works once, for one hour.\n\n${link}\n\n${IGNORE} Your password stays as it is.`,
  }),
  invite: ({ link }, { inviter = 'Somebody', organization = 'an organization' }) => ({
    subject: `Join ${plainName(organization)} on Heddle`,
    text: `${plainName(inviter)} invited you to ${plainName(organization)} on Heddle. The link works once, for 7 days.\n\n${link}\n\nIf you do not know them, ignore this email.`,
  }),
  'confirm-new-email': ({ link }) => ({
    subject: 'Confirm your new email address',
    text: `Open this link in a browser where you are signed in to Heddle, and your account uses this address from then on. It works once, for 24 hours.\n\n${link}\n\n${IGNORE}`,
  }),
  'email-changed': (sending, { newEmail = 'another address', ...names }) => ({
    subject: 'Your email address was changed',
    text: `Your Heddle account now uses ${newEmail}.\n\n${factsOf(sending, names)}\n\nIf this was not you, open this link to undo it. It works once, for 7 days.\n\n${sending.link}`,
  }),
  'sign-in-changed': noticeOf(({ change, detail = '' }) => CHANGES[change as SignInChange](detail)),
  'new-device': noticeOf(() => ({
    subject: 'New sign-in to your account',
    text: 'Somebody signed in to your Heddle account from a device that it was not used with before.',
  })),
  'questions-waiting': ({ link, emailSettingsPage }, { count = '1', workspace = '', flows = '[]' }) => ({
    subject: count === '1' ? 'A run waits for your answer' : `${count} runs wait for your answer`,
    text: `${count === '1' ? 'A run in' : `${count} runs in`} the workspace ${plainName(workspace)} cannot go on before somebody answers. You are one of the people who may.\n\n${flowsText(JSON.parse(flows))}\n\nRead the question, and answer:\n\n${link}\n\nTurn these emails off in your account:\n\n${emailSettingsPage}`,
  }),
  'account-exists': ({ link }) => ({
    subject: 'You already have an account',
    text: `Somebody wanted to use this address for a Heddle account, but it has one already. Sign in here:\n\n${link}\n\n${IGNORE}`,
  }),
}

export function emailText(kind: EmailKind, sending: Sending, names: EmailNames): EmailText {
  return TEXTS[kind](sending, names)
}

const flowsText = (names: string[]) => `${names.length === 1 ? 'Flow' : 'Flows'}: ${names.map(plainName).join(', ')}`

/** `26 November 2026 at 23:04 UTC` */
function timeOf(date: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(new Date(date))} UTC`
}

/** A name that somebody else chose, as one short line that no mail program turns into a link. */
function plainName(name: string): string {
  const words = name.slice(0, 60).replace(/[^\p{L}\p{M}\p{N} '’&,-]/gu, ' ')
  return words.trim().replace(/ +/g, ' ') || 'somebody'
}
