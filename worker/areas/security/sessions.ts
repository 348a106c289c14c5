/** A person's sessions: the browsers that they are signed in with. */
import { and, desc, eq, gt, inArray, isNotNull, isNull, ne, notInArray, type SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import type { OwnSession } from '#contract/organization/security.ts'
import type { Database } from '#db/client.ts'
import { knownBrowsers, sessions } from '#db/schema/index.ts'
import { auditEvent } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { forgetBrowsers } from '../../http/session/known-browser.ts'
import type { Services } from '../../services.ts'

/** More than anybody has; the least recent ones end by themselves. */
const MOST = 200

/** The most recently used first. */
export async function listSessions(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { userId, sessionId }: UserActor,
): Promise<OwnSession[]> {
  const rows = await db
    .select({
      id: sessions.id,
      device: sessions.device,
      address: sessions.address,
      country: sessions.country,
      method: sessions.method,
      createdDate: sessions.createdDate,
      lastSeenDate: sessions.lastSeenDate,
    })
    .from(sessions)
    .where(and(isOpen(userId), gt(sessions.expiresDate, clock.now().toISOString())))
    .orderBy(desc(sessions.lastSeenDate), desc(sessions.createdDate))
    .limit(MOST)
  return rows.map((row) => ({ ...row, current: row.id === sessionId }))
}

/** Throws `not_found` for sessions of others. */
export async function endSession(c: Context<AppEnv>, actor: UserActor, id: string): Promise<void> {
  const isOne = and(isOpen(actor.userId), eq(sessions.id, id))
  const ended = await endWhere(c, actor, {
    which: eq(sessions.id, id),
    isForgotten: inArray(knownBrowsers.id, browsersOf(c.get('services').db, isOne)),
  })
  if (ended === 0) throw new HeddleError('not_found', 'Session not found')
}

/** Returns how many ended. */
export function endOtherSessions(c: Context<AppEnv>, actor: UserActor): Promise<number> {
  return endWhere(c, actor, { which: ne(sessions.id, actor.sessionId) })
}

/** The statements that end every session of a person but one, and forget every browser but the one of that session. */
export function endOthers(db: Database, { userId, sessionId }: UserActor, now: Date) {
  return [
    forgetBrowsers(db, userId, isElsewhere(db, sessionId)),
    db
      .update(sessions)
      .set({ revokedDate: now.toISOString() })
      .where(and(isOpen(userId), ne(sessions.id, sessionId))),
  ] as const
}

interface Ending {
  which: SQL
  /** Absent: every browser but the one of the actor's session. */
  isForgotten?: SQL
}

async function endWhere(c: Context<AppEnv>, actor: UserActor, { which, isForgotten }: Ending): Promise<number> {
  const { db, clock } = c.get('services')
  const isOne = and(isOpen(actor.userId), which)
  const open = await db.select({ id: sessions.id }).from(sessions).where(isOne)
  if (open.length === 0) return 0
  const [, ended] = await db.batch([
    forgetBrowsers(db, actor.userId, and(isElsewhere(db, actor.sessionId), isForgotten)),
    db.update(sessions).set({ revokedDate: clock.now().toISOString() }).where(isOne).returning({ id: sessions.id }),
    auditEvent(c, actor, {
      event: 'account.end-sessions',
      target: { id: actor.userId, name: actor.name },
      ofOrganization: true,
    }),
  ])
  return ended.length
}

/** The condition that a known browser is not the one of a session. */
const isElsewhere = (db: Database, sessionId: string) =>
  notInArray(knownBrowsers.id, browsersOf(db, eq(sessions.id, sessionId)))

const browsersOf = (db: Database, condition: SQL | undefined) =>
  db
    .select({ id: sessions.browserId })
    .from(sessions)
    .where(and(condition, isNotNull(sessions.browserId)))

const isOpen = (userId: string) => and(eq(sessions.userId, userId), isNull(sessions.revokedDate))
