/** An account whose maker did not own its address. */
import { and, eq, isNull } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Database } from '#db/client.ts'
import { sessions, users } from '#db/schema/index.ts'
import { forgetProofs } from '../auth/index.ts'

/** Whoever made the account never showed that the address is theirs: nothing of theirs opens it any more. */
export function voidAccount({ db, now, userId }: { db: Database; now: string; userId: string }): BatchItem<'sqlite'>[] {
  return [
    db.update(users).set({ passwordHash: '', status: 'active', emailVerifiedDate: now }).where(eq(users.id, userId)),
    db
      .update(sessions)
      .set({ revokedDate: now })
      .where(and(eq(sessions.userId, userId), isNull(sessions.revokedDate))),
    ...forgetProofs(db, { userId }),
  ]
}
