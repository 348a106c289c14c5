/** A person's sessions: the browsers that they are signed in with. */
import { and, desc, eq, gt, inArray, isNotNull, isNull, ne, notInArray, type SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import type { OwnSession } from '#contract/organization/security.ts'
import type { Database } from '#db/client.ts'
import { knownBrowsers, sessions } from '#db/schema/index.ts'
import { auditEvent } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
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
  const ended = await endWhere(c, actor, eq(sessions.id, id))
  if (ended === 0) throw new HeddleError('not_found', 'Session not found')
}

/** Returns how many ended. */
export function endOtherSessions(c: Context<AppEnv>, actor: UserActor): Promise<number> {
  return endWhere(c, actor, ne(sessions.id, actor.sessionId))
}

/** The statement that ends every session of a person but one. */
export function endOthers(db: Database, { userId, sessionId }: UserActor, now: Date) {
  return db
    .update(sessions)
    .set({ revokedDate: now.toISOString() })
    .where(and(isOpen(userId), ne(sessions.id, sessionId)))
}

async function endWhere(c: Context<AppEnv>, actor: UserActor, which: SQL): Promise<number> {
  const { db, clock } = c.get('services')
  const isOne = and(isOpen(actor.userId), which)
  const open = await db.select({ id: sessions.id }).from(sessions).where(isOne)
  if (open.length === 0) return 0
  const [, ended] = await db.batch([
    forgetBrowsers(db, actor, isOne),
    db.update(sessions).set({ revokedDate: clock.now().toISOString() }).where(isOne).returning({ id: sessions.id }),
    auditEvent(c, actor, {
      event: 'account.end-sessions',
      target: { id: actor.userId, name: actor.name },
      ofOrganization: true,
    }),
  ])
  return ended.length
}

/** The next sign-in there is one from a new device. The browser of this session stays known. */
function forgetBrowsers(db: Database, { sessionId }: UserActor, which: SQL | undefined) {
  const browsersOf = (condition: SQL | undefined) =>
    db
      .select({ id: sessions.browserId })
      .from(sessions)
      .where(and(condition, isNotNull(sessions.browserId)))
  return db
    .delete(knownBrowsers)
    .where(
      and(
        inArray(knownBrowsers.id, browsersOf(which)),
        notInArray(knownBrowsers.id, browsersOf(eq(sessions.id, sessionId))),
      ),
    )
}

const isOpen = (userId: string) => and(eq(sessions.userId, userId), isNull(sessions.revokedDate))
