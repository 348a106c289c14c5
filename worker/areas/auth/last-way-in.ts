import { and, eq, ne, not } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { passkeys, userIdentities, users } from '#db/schema/index.ts'

/** Throws `conflict` when a person who removes this has no password, passkey or identity left to sign in with. */
export async function assertKeepsWayIn(
  db: Database,
  userId: string,
  removed: { passkeyId: string } | { issuer: string; subject: string },
): Promise<void> {
  const isOtherPasskey = 'passkeyId' in removed ? ne(passkeys.id, removed.passkeyId) : undefined
  const isOtherIdentity =
    'issuer' in removed
      ? not(and(eq(userIdentities.issuer, removed.issuer), eq(userIdentities.subject, removed.subject)) as never)
      : undefined
  const [passwords, otherPasskeys, otherIdentities] = await db.batch([
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), ne(users.passwordHash, ''))),
    db
      .select({ id: passkeys.id })
      .from(passkeys)
      .where(and(eq(passkeys.userId, userId), isOtherPasskey))
      .limit(1),
    db
      .select({ subject: userIdentities.subject })
      .from(userIdentities)
      .where(and(eq(userIdentities.userId, userId), isOtherIdentity))
      .limit(1),
  ])
  if (passwords.length + otherPasskeys.length + otherIdentities.length > 0) return
  throw new HeddleError('conflict', 'This is your only way to sign in. Add a password or a passkey first.')
}
