/** The queue of emails: each is a row, written with the change that it is about. */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { EmailKind } from '#contract/organization/emails.ts'
import { insertWhen } from '#db/insert-when.ts'
import { emails, emailTokens } from '#db/schema/index.ts'
import { takeFrom } from '../http/rate-limit.ts'
import type { Services } from '../services.ts'
import type { EmailNames } from './texts.ts'

interface NewEmail {
  kind: EmailKind
  address: string | SQL
  /** The account that it is about; SQL that finds it, or null when the address has none yet. */
  userId?: string | SQL | null
  /** What the link is for: an invitation's id, or a new address. The account itself has none. */
  subject?: string
  names?: EmailNames
}

/**
 * Returns the statement that queues an email: run it in the batch of the change, and call `sendEmailsLater` behind it.
 * With a condition, the email is queued only when it holds.
 */
export function queueEmail(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { kind, address, userId = null, subject = '', names = {} }: NewEmail,
  condition: SQL = sql`true`,
) {
  const now = clock.now().toISOString()
  const data = { ...names, subject } as Record<string, string>
  const row = { id: crypto.randomUUID(), kind, address, userId, data, dueDate: now, createdDate: now }
  return insertWhen(db, emails, row, condition)
}

/** Returns the statements that stop an email from going, and void the links that went: those of an invitation, say. */
export function withdrawEmails(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { kind, subject }: { kind: EmailKind; subject: string },
) {
  const now = clock.now().toISOString()
  return [
    db
      .update(emails)
      .set({ dueDate: null })
      .where(and(eq(emails.kind, kind), eq(sql`${emails.data} ->> 'subject'`, subject), isNull(emails.sentDate))),
    db
      .update(emailTokens)
      .set({ endedDate: now })
      .where(and(eq(emailTokens.kind, kind), eq(emailTokens.subject, subject), isNull(emailTokens.endedDate))),
  ] as const
}

/** True when links in emails can lead back here. */
export function canSendEmail({ mail, config }: Pick<Services, 'mail' | 'config'>): boolean {
  return mail.takesEmails && config.appUrl !== undefined
}

/** @throws HeddleError that says what to set */
export function assertCanSendEmail(services: Pick<Services, 'mail' | 'config'>): void {
  if (canSendEmail(services)) return
  throw new HeddleError(
    'bad_request',
    'This server cannot send email. Whoever runs it must set MAIL_URL, MAIL_KEY, MAIL_FROM and APP_URL.',
  )
}

/** Emails to one address. */
const PER_HOUR = { max: 5, windowSeconds: 60 * 60 }

/** For whom an email is counted besides its address. */
interface EmailCount {
  /**
   * The owner of the address, in a browser that has signed in before: anonymous callers must not use up their emails.
   */
  knownUserId?: string | undefined
  /** The account that has emails sent to addresses of its choice. */
  senderId?: string
}

/** Counts an email to an address. Throws `rate_limited`. */
export async function countEmail(
  services: Pick<Services, 'db' | 'clock'>,
  address: string,
  { knownUserId, senderId }: EmailCount = {},
): Promise<void> {
  const key = knownUserId === undefined ? `emails to ${address}` : `emails to the known ${knownUserId}`
  const bySender = senderId === undefined ? [] : [{ key: `emails asked for by ${senderId}`, ...PER_HOUR }]
  await takeFrom(services, [...bySender, { key, ...PER_HOUR }])
}
