import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from 'hono'
import type * as z from 'zod'
import type { changePasswordSchema } from '#contract/organization/security.ts'
import { challenges, emailTokens, users } from '#db/schema/index.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { signInEvent } from '../../emails/notices.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { checkOwnPassword, hashPassword } from '../auth/index.ts'
import { endOthers } from './sessions.ts'

/**
 * Ends the other sessions, and what the old password began elsewhere: sign-ins that wait for a code, and links to reset
 * it. Throws `bad_request` for a wrong current password.
 */
export async function changePassword(
  c: Context<AppEnv>,
  actor: UserActor,
  { currentPassword, newPassword }: z.infer<typeof changePasswordSchema>,
): Promise<void> {
  const services = c.get('services')
  const { db, clock } = services
  await checkOwnPassword(services, actor, { password: currentPassword, field: 'currentPassword' })
  const now = clock.now()
  const isResetLink = and(
    eq(emailTokens.userId, actor.userId),
    eq(emailTokens.kind, 'reset-password'),
    isNull(emailTokens.endedDate),
  )
  await db.batch([
    db
      .update(users)
      .set({ passwordHash: await hashPassword(newPassword) })
      .where(eq(users.id, actor.userId)),
    ...endOthers(db, actor, now),
    db.delete(challenges).where(eq(challenges.userId, actor.userId)),
    db.update(emailTokens).set({ endedDate: now.toISOString() }).where(isResetLink),
    ...signInEvent(c, actor, { event: 'account.change-password' }),
  ])
  sendEmailsLater(c)
}
