/** Revokes the tokens that a change of an account's address makes void. */
import { and, eq, gt, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { EmailKind } from '#contract/organization/emails.ts'
import type { Database } from '#db/client.ts'
import { emails, emailTokens, users } from '#db/schema/index.ts'
import type { Services } from '../services.ts'

interface Withdrawn {
  kinds: readonly EmailKind[]
  /** Only those whose subject sorts after this one: a later date. */
  after?: string
  /** The hash of a token that stays. */
  except?: string
  condition?: SQL
}

/** Returns the statements that stop an account's emails from going, and void the links that went. */
export function endEmailsOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  userId: string,
  { kinds, after = '', except = '', condition }: Withdrawn,
) {
  const isOf = (table: typeof emails | typeof emailTokens, subject: SQL) =>
    and(eq(table.userId, userId), inArray(table.kind, [...kinds]), after ? gt(subject, after) : undefined, condition)
  return [
    db
      .update(emails)
      .set({ dueDate: null })
      .where(and(isOf(emails, sql`${emails.data} ->> 'subject'`), isNull(emails.sentDate))),
    db
      .update(emailTokens)
      .set({ endedDate: clock.now().toISOString() })
      .where(
        and(
          isOf(emailTokens, sql`${emailTokens.subject}`),
          ne(emailTokens.hash, except),
          isNull(emailTokens.endedDate),
        ),
      ),
  ] as const
}

/** Returns the statement that takes an address from a registration that nobody confirmed: it was never anybody's. */
export function vacateAddress(db: Database, address: string, condition: SQL) {
  return db
    .update(users)
    .set({ email: sql`${users.id} || '@replaced.invalid'` })
    .where(and(eq(users.email, address), eq(users.status, 'unverified'), condition))
}
