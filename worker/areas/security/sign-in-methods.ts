import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import { users } from '#db/schema/index.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { signInEvent } from '../../emails/notices.ts'
import { endEmailsOf } from '../../emails/withdrawals.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { forgetProofs } from '../auth/index.ts'
import { assertKeepsSecondStep } from './last-second-step.ts'
import { endOthers } from './sessions.ts'

/**
 * Leaves the password and this session, for whoever finds that somebody else was in their account. Throws `conflict` for
 * who has no password, and for who must keep a second step.
 */
export async function removeSignInMethods(c: Context<AppEnv>, actor: UserActor): Promise<void> {
  const services = c.get('services')
  const { db, clock } = services
  const { userId } = actor
  const [user] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  if (!user?.passwordHash) {
    throw new HeddleError('conflict', 'You have no password, so nothing would open your account. Choose one first.')
  }
  await assertKeepsSecondStep(services, userId, 'everything')
  await db.batch([
    ...forgetProofs(db, { userId }),
    ...endOthers(db, actor, clock.now()),
    ...endEmailsOf(services, userId, { kinds: ['reset-password', 'confirm-new-email'] }),
    ...signInEvent(c, actor, { event: 'account.remove-sign-in-methods' }),
  ])
  sendEmailsLater(c)
}
