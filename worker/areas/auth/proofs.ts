/** What opens an account besides its password. */
import { and, eq, gte, notExists, type SQL } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { authenticators, challenges, passkeys, recoveryCodes, userIdentities } from '#db/schema/index.ts'

/** Returns the statements that turn the second step of a person off, and end sign-ins that wait for its code. */
export const forgetSecondStep = (db: Database, userId: string) =>
  [
    db.delete(authenticators).where(eq(authenticators.userId, userId)),
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.delete(challenges).where(eq(challenges.userId, userId)),
  ] as const

interface Forgotten {
  userId: string
  /** Only what was added from this date on. */
  since?: string
  condition?: SQL
}

/** Returns the statements that remove passkeys, the authenticator app with its recovery codes, and linked identities. */
export function forgetProofs(db: Database, { userId, since = '', condition }: Forgotten) {
  const isSince = (table: typeof passkeys | typeof authenticators | typeof userIdentities) =>
    and(eq(table.userId, userId), gte(table.createdDate, since), condition)
  const app = db.select({ id: authenticators.userId }).from(authenticators).where(eq(authenticators.userId, userId))
  return [
    db.delete(passkeys).where(isSince(passkeys)),
    db.delete(userIdentities).where(isSince(userIdentities)),
    db.delete(authenticators).where(isSince(authenticators)),
    db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), notExists(app), condition)),
    db.delete(challenges).where(and(eq(challenges.userId, userId), condition)),
  ] as const
}
