/** Emails that tell a person what opens their account now. */
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type { AuditEvent } from '#contract/organization/audit.ts'
import type { SignInChange } from '#contract/organization/emails.ts'
import { users } from '#db/schema/index.ts'
import { type AuditEntry, auditEvent } from '../http/audit.ts'
import type { AppEnv, UserActor } from '../http/route.ts'
import { placeOf } from '../http/session/place.ts'
import { canSendEmail, queueEmail } from './queue.ts'

type AccountEvent = Extract<AuditEvent, `account.${string}`>

/** What the person hears of each event of their account; null: it opens nothing, or has an email of its own. */
const NOTICES = {
  'account.change-name': null,
  'account.change-email': null,
  'account.undo-email-change': 'email-restored',
  'account.change-password': 'password-changed',
  'account.add-second-step': 'authenticator-added',
  'account.remove-second-step': 'authenticator-removed',
  'account.renew-recovery-codes': 'recovery-codes-renewed',
  'account.add-passkey': 'passkey-added',
  'account.remove-passkey': 'passkey-removed',
  'account.remove-sign-in-methods': 'others-removed',
  'account.end-sessions': null,
  'account.link-identity': 'identity-linked',
  'account.unlink-identity': 'identity-unlinked',
} as const satisfies Record<AccountEvent, SignInChange | null>

interface Notice {
  userId: string
  /** Absent: somebody signed in from a new device. */
  change?: SignInChange
  /** The name of what changed, which the person may have to recognize. */
  detail?: string
  condition?: SQL
}

/**
 * Returns the statement that queues an email to the address that the account has when it runs. Without a mail service it
 * queues nothing.
 */
export function queueNotice(c: Context<AppEnv>, { userId, change, detail = '', condition = sql`true` }: Notice) {
  const services = c.get('services')
  const email = services.db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return queueEmail(
    services,
    {
      kind: change ? 'sign-in-changed' : 'new-device',
      address: sql`${email}`,
      userId,
      names: { ...(change && { change }), detail, from: placeText(c) },
    },
    canSendEmail(services) ? condition : sql`false`,
  )
}

/** Returns where a request comes from, as the list of sessions shows it: `Firefox on Linux, 203.0.113.7, DE`. */
export function placeText(c: Context<AppEnv>): string {
  const { device, address, country } = placeOf(c)
  return [device ?? 'Unknown device', address, country].filter(Boolean).join(', ')
}

/** What a person changes about how they sign in, as the audit log and their email say it. */
interface SignInEntry extends Pick<AuditEntry, 'change'>, Pick<Notice, 'detail'> {
  event: { [Event in AccountEvent]: (typeof NOTICES)[Event] extends null ? never : Event }[AccountEvent]
  /** Absent: the person. */
  target?: { id: string; name: string }
}

/**
 * Returns the statements that record a change of how a person signs in, and tell them of it. Run them in the batch of the
 * change, and call `sendEmailsLater` behind it.
 */
export function signInEvent(c: Context<AppEnv>, actor: UserActor, { event, target, change, detail }: SignInEntry) {
  const { userId, name } = actor
  return [
    auditEvent(c, actor, {
      event,
      target: target ?? { id: userId, name },
      ...(change && { change }),
      ofOrganization: true,
    }),
    queueNotice(c, { userId, change: NOTICES[event], ...(detail !== undefined && { detail }) }),
  ] as const
}
