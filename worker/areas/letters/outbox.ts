/** The outbox: a letter is a row, written with the change that it is about. */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { LetterKind } from '#contract/organization/letters.ts'
import { insertWhen } from '#db/insert-when.ts'
import { letters, letterTokens } from '#db/schema/index.ts'
import { takeFrom } from '../../http/rate-limit.ts'
import type { Services } from '../../services.ts'
import type { LetterNames } from './texts.ts'

interface NewLetter {
  kind: LetterKind
  address: string
  /** The account that it is about; SQL that finds it, or null when the address has none yet. */
  userId?: string | SQL | null
  /** What the link is for: an invitation's id, or a new address. The account itself has none. */
  subject?: string
  names?: LetterNames
}

/**
 * Returns the statement that queues a letter: run it in the batch of the change, and call `sendLettersLater` behind it.
 * With a condition, the letter is queued only when it holds.
 */
export function queueLetter(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { kind, address, userId = null, subject = '', names = {} }: NewLetter,
  condition: SQL = sql`true`,
) {
  const now = clock.now().toISOString()
  const data = { ...names, subject } as Record<string, string>
  const row = { id: crypto.randomUUID(), kind, address, userId, data, dueDate: now, createdDate: now }
  return insertWhen(db, letters, row, condition)
}

/** Returns the statements that stop a letter from going, and void the links that went: those of an invitation, say. */
export function withdrawLetters(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { kind, subject }: { kind: LetterKind; subject: string },
) {
  const now = clock.now().toISOString()
  return [
    db
      .update(letters)
      .set({ dueDate: null })
      .where(and(eq(letters.kind, kind), eq(sql`${letters.data} ->> 'subject'`, subject), isNull(letters.sentDate))),
    db
      .update(letterTokens)
      .set({ endedDate: now })
      .where(and(eq(letterTokens.kind, kind), eq(letterTokens.subject, subject), isNull(letterTokens.endedDate))),
  ] as const
}

/** True when links in letters can lead back here. */
export function canSendLetters({ mail, config }: Pick<Services, 'mail' | 'config'>): boolean {
  return mail.takesLetters && config.appUrl !== undefined
}

/** @throws HeddleError that says what to set */
export function assertCanSendLetters(services: Pick<Services, 'mail' | 'config'>): void {
  if (canSendLetters(services)) return
  throw new HeddleError(
    'bad_request',
    'This server cannot send letters. Whoever runs it must set MAIL_URL, MAIL_KEY, MAIL_FROM and APP_URL.',
  )
}

/** Letters to one address. */
const PER_HOUR = { max: 5, windowSeconds: 60 * 60 }

/** For whom a letter is counted besides its address. */
interface LetterCount {
  /** The owner of the address, in a browser that has signed in before: strangers must not use up their letters. */
  knownUserId?: string | undefined
  /** The account that has letters sent to addresses of its choice. */
  senderId?: string
}

/** Counts a letter to an address. Throws `rate_limited`. */
export async function takeLetter(
  services: Pick<Services, 'db' | 'clock'>,
  address: string,
  { knownUserId, senderId }: LetterCount = {},
): Promise<void> {
  const key = knownUserId === undefined ? `letters to ${address}` : `letters to the known ${knownUserId}`
  const bySender = senderId === undefined ? [] : [{ key: `letters asked for by ${senderId}`, ...PER_HOUR }]
  await takeFrom(services, [...bySender, { key, ...PER_HOUR }])
}
