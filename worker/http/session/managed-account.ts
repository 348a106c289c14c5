/** Which sessions may change what is a person's in every organization. */
import { eq } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import { type AccountParts, isManagedBy, PASSWORD_BEFORE_PASSKEY } from '#contract/organization/managed-account.ts'
import type { Database } from '#db/client.ts'
import { identityProviders, organizationMembers, passkeys, userIdentities, users } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import type { UserActor } from '../route.ts'

/** Throws `forbidden` for a session that an organization's provider opened, while the account is more than that organization's. */
export async function assertSpeaksForAccount(
  db: Database,
  actor: Pick<UserActor, 'userId' | 'limitedTo'>,
): Promise<void> {
  if (await speaksForAccount(db, actor)) return
  throw new HeddleError('forbidden', 'Sign in with your password or passkey to change your account.', {
    error: 'account_limited',
  })
}

export async function speaksForAccount(
  db: Database,
  { userId, limitedTo }: Pick<UserActor, 'userId' | 'limitedTo'>,
): Promise<boolean> {
  return limitedTo === null || isManagedBy(limitedTo, await readAccount(db, userId))
}

async function readAccount(db: Database, userId: string): Promise<AccountParts> {
  const handle = acrossOrganizations(db, 'an account is its person’s in every organization')
  const [[user], [passkey], memberships, identities] = await handle.batch([
    handle.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId)),
    handle.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1),
    handle
      .select({ organizationId: organizationMembers.organizationId })
      .from(organizationMembers)
      .where(eq(organizationMembers.userId, userId)),
    // An issuer may be that of several providers. Without any, nobody knows whose it is.
    handle
      .select({ organizationId: identityProviders.organizationId })
      .from(userIdentities)
      .leftJoin(identityProviders, eq(identityProviders.issuer, userIdentities.issuer))
      .where(eq(userIdentities.userId, userId)),
  ])
  return {
    hasPassword: Boolean(user?.passwordHash),
    hasPasskey: passkey !== undefined,
    memberOf: memberships.map(({ organizationId }) => organizationId),
    identitiesOf: identities.map(({ organizationId }) => organizationId),
  }
}

/**
 * Throws `forbidden` for a session that an organization's provider opened, also where it manages the account: a passkey
 * opens the account in every organization, those that the person joins later included.
 */
export function assertAddsPasskeys({ limitedTo }: Pick<UserActor, 'limitedTo'>): void {
  if (limitedTo === null) return
  throw new HeddleError('forbidden', PASSWORD_BEFORE_PASSKEY)
}
