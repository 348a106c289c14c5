/** Deletes what no longer means anything: sessions past their end and rate-limit windows of yesterday. */
import { lt } from 'drizzle-orm'
import { rateLimits, sessions } from '#db/schema/index.ts'
import type { Services } from '../../services.ts'

const DAY_SECONDS = 24 * 60 * 60

export async function purgeSessions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await db.batch([
    db.delete(sessions).where(lt(sessions.expiresDate, now.toISOString())),
    db.delete(rateLimits).where(lt(rateLimits.windowStart, Math.floor(now.getTime() / 1000) - DAY_SECONDS)),
  ])
}
