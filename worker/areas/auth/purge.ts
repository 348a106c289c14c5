/** Deletes expired sessions, known browsers, challenges and rate-limit windows. */
import { lt } from 'drizzle-orm'
import { challenges, knownBrowsers, rateLimits, sessions } from '#db/schema/index.ts'
import type { Services } from '../../services.ts'

export async function purgeSessions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await db.batch([
    db.delete(sessions).where(lt(sessions.expiresDate, now.toISOString())),
    db.delete(knownBrowsers).where(lt(knownBrowsers.expiresDate, now.toISOString())),
    db.delete(challenges).where(lt(challenges.expiresDate, now.toISOString())),
    db.delete(rateLimits).where(lt(rateLimits.windowEnd, Math.floor(now.getTime() / 1000))),
  ])
}
