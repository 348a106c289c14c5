/** The way back from a changed address, for who reads the mail of the old one. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from 'hono'
import type { UndoneEmail } from '#contract/organization/email-calls.ts'
import { sessions, users } from '#db/schema/index.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { queueNotice } from '../../emails/notices.ts'
import { isOpen, makeToken, readToken, usedToken, useToken } from '../../emails/tokens.ts'
import { endEmailsOf, vacateAddress } from '../../emails/withdrawals.ts'
import { auditEvent, changeOf } from '../../http/audit.ts'
import type { AppEnv } from '../../http/route.ts'
import { forgetBrowsers } from '../../http/session/known-browser.ts'
import { forgetProofs } from '../auth/index.ts'
import { unlessTaken } from './email-change.ts'

/**
 * Puts the old address back, ends every session and the links of later changes, and forgets every browser and what was
 * added since to sign in with. Returns a token to choose a new password with: whoever changed the address may know the present one. Throws
 * `bad_request` for a token that no longer works, `conflict` when another account has the address.
 */
export async function undoNewEmail(c: Context<AppEnv>, token: string): Promise<UndoneEmail> {
  const services = c.get('services')
  const { db, clock } = services
  const { userId, address: email, subject: changedDate } = await readToken(services, 'email-changed', token)
  const id = userId ?? ''
  const [user] = await db.select().from(users).where(eq(users.id, id))
  if (!user) throw usedToken('email-changed')
  const now = clock.now().toISOString()
  const condition = isOpen(services, 'email-changed', token)
  const isOwner = and(eq(users.id, id), condition)
  const actor = { kind: 'user', userId: id, name: user.name, workspaceId: user.activeWorkspaceId } as const
  const later = { kinds: ['email-changed'], after: changedDate, condition } as const
  const asked = { kinds: ['verify-email', 'reset-password', 'confirm-new-email'], condition } as const
  const [, , , undone] = await unlessTaken(
    db.batch([
      vacateAddress(db, email, condition),
      auditEvent(c, actor, {
        event: 'account.undo-email-change',
        target: { id, name: users.name, of: users, where: isOwner },
        change: changeOf(users, { email }),
        ofOrganization: true,
      }),
      // Before the change: to the address that is undone.
      queueNotice(c, { userId: id, change: 'email-restored', detail: email, condition }),
      db.update(users).set({ email, emailVerifiedDate: now }).where(isOwner).returning({ id: users.id }),
      db
        .update(sessions)
        .set({ revokedDate: now })
        .where(and(eq(sessions.userId, id), isNull(sessions.revokedDate), condition)),
      forgetBrowsers(db, id, condition),
      ...forgetProofs(db, { userId: id, since: changedDate, condition }),
      ...endEmailsOf(services, id, later),
      ...endEmailsOf(services, id, asked),
      useToken(services, 'email-changed', token),
    ]),
  )
  if (undone.length === 0) throw usedToken('email-changed')
  sendEmailsLater(c)
  const reset = makeToken(services, { kind: 'reset-password', address: email, userId: id, subject: '' })
  await db.batch(reset.statements)
  return { message: `Your account has the address ${email} again.`, resetToken: reset.token }
}
