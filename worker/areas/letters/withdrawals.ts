/** Revokes the tokens that a change of an account's address makes void. */
import { and, eq, gt, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { LetterKind } from '#contract/organization/letters.ts'
import type { Database } from '#db/client.ts'
import { letters, letterTokens, users } from '#db/schema/index.ts'
import type { Services } from '../../services.ts'

interface Withdrawn {
  kinds: readonly LetterKind[]
  /** Only those whose subject sorts after this one: a later date. */
  after?: string
  /** The hash of a token that stays. */
  except?: string
  condition?: SQL
}

/** Returns the statements that stop an account's letters from going, and void the links that went. */
export function endLettersOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  userId: string,
  { kinds, after = '', except = '', condition }: Withdrawn,
) {
  const isOf = (table: typeof letters | typeof letterTokens, subject: SQL) =>
    and(eq(table.userId, userId), inArray(table.kind, [...kinds]), after ? gt(subject, after) : undefined, condition)
  return [
    db
      .update(letters)
      .set({ dueDate: null })
      .where(and(isOf(letters, sql`${letters.data} ->> 'subject'`), isNull(letters.sentDate))),
    db
      .update(letterTokens)
      .set({ endedDate: clock.now().toISOString() })
      .where(
        and(
          isOf(letterTokens, sql`${letterTokens.subject}`),
          ne(letterTokens.hash, except),
          isNull(letterTokens.endedDate),
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
