/** Whoever comes in past their identity provider by a second step keeps one. */
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { authenticators, passkeys } from '#db/schema/index.ts'
import type { Services } from '../../services.ts'
import { isSparedBySecondStep } from '../auth/index.ts'

/** Throws `conflict` when nothing else would let the person in while their organization requires single sign-on. */
export async function assertKeepsSecondStep(
  services: Pick<Services, 'db' | 'config'>,
  userId: string,
  removed: 'authenticator' | 'everything' | { passkeyId: string },
): Promise<void> {
  if (removed !== 'everything' && (await keepsAnother(services.db, userId, removed))) return
  if (!(await isSparedBySecondStep(services, userId))) return
  throw new HeddleError(
    'conflict',
    'Your organization requires single sign-on, and only this lets you in if the provider fails. Add another second step first.',
  )
}

async function keepsAnother(
  db: Database,
  userId: string,
  removed: 'authenticator' | { passkeyId: string },
): Promise<boolean> {
  const isOtherPasskey = removed === 'authenticator' ? undefined : ne(passkeys.id, removed.passkeyId)
  const [others, apps] = await db.batch([
    db
      .select({ id: passkeys.id })
      .from(passkeys)
      .where(and(eq(passkeys.userId, userId), isOtherPasskey))
      .limit(1),
    db
      .select({ userId: authenticators.userId })
      .from(authenticators)
      .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedDate))),
  ])
  return others.length > 0 || (removed !== 'authenticator' && apps.length > 0)
}
