/** An admin turns off the second step of somebody who cannot pass it: a lost phone, or an app that a thief added. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import { sessions, users } from '#db/schema/index.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { canSendEmail, queueEmail } from '../../emails/queue.ts'
import type { AppEnv } from '../../http/route.ts'
import { isPlatformAdmin } from '../../http/session/identity.ts'
import { forgetBrowsers } from '../../http/session/known-browser.ts'
import { forgetSecondStep } from '../auth/index.ts'
import { isOnlyHere, type MemberAttempt, recordChange } from './member-changes.ts'
import { changeMember, type MemberChange } from './store.ts'

/**
 * Removes the authenticator app with its recovery codes, ends all sessions, and tells the person. It signs nobody in: the
 * password stays, and so does everything else that opens the account. Throws `not_found` without a second step, and
 * `conflict` for an account that is more than this organization's.
 */
export async function removeSecondStep(c: Context<AppEnv>, given: MemberChange): Promise<void> {
  await changeMember(c, given, async (attempt) => {
    const { organization, target, allow } = attempt
    await allow({ kind: 'second-step' })
    await assertManaged(c, attempt)
    if (target.authenticatorOf === null) throw new HeddleError('not_found', `${target.name} has no two-step sign-in`)
    const { tx, actor } = organization
    for (const statement of forgetSecondStep(tx, target.id)) await statement
    await endAllSessions(c, attempt)
    await recordChange(organization, target, 'user.remove-second-step')
    const services = c.get('services')
    if (!canSendEmail(services)) return
    const names = { change: 'authenticator-removed-by-admin', detail: actor.name } as const
    const message = { kind: 'sign-in-changed', address: target.email, userId: target.id, names } as const
    await queueEmail({ ...services, db: tx }, message)
  })
  sendEmailsLater(c)
}

/** What protects other organizations, or the installation, is not one organization's to remove. */
async function assertManaged(c: Context<AppEnv>, { organization, target }: MemberAttempt): Promise<void> {
  const [user] = await organization.tx.select().from(users).where(eq(users.id, target.id))
  if (!user || isPlatformAdmin({ user, identityProviderId: null }, c.get('services').config)) {
    throw new HeddleError('conflict', `${target.name} administers this installation, so only they can do this.`)
  }
  if (await isOnlyHere(organization, target.id)) return
  throw new HeddleError('conflict', `${target.name} belongs to another organization too, so only they can do this.`)
}

async function endAllSessions(c: Context<AppEnv>, { organization: { tx }, target }: MemberAttempt): Promise<void> {
  const revokedDate = c.get('services').clock.now().toISOString()
  await forgetBrowsers(tx, target.id)
  await tx
    .update(sessions)
    .set({ revokedDate })
    .where(and(eq(sessions.userId, target.id), isNull(sessions.revokedDate)))
}
