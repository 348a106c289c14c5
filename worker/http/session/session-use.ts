import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Context } from 'hono'
import { errorMessage } from '#contract/errors.ts'
import { sessions } from '#db/schema/index.ts'
import type { AppEnv } from '../route.ts'

const EVERY_MS = 5 * 60_000

interface Session {
  sessionId: string
  lastSeenDate: string | null
}

/** Writes when a session was last used behind the request, once in five minutes. */
export function noteSessionUse(c: Context<AppEnv>, { sessionId, lastSeenDate }: Session): void {
  const { db, clock } = c.get('services')
  const now = clock.now()
  const due = new Date(now.getTime() - EVERY_MS).toISOString()
  if (lastSeenDate !== null && lastSeenDate > due) return
  const isOlder = or(isNull(sessions.lastSeenDate), lt(sessions.lastSeenDate, now.toISOString()))
  const written = db
    .update(sessions)
    .set({ lastSeenDate: now.toISOString() })
    .where(and(eq(sessions.id, sessionId), isOlder))
  c.executionCtx.waitUntil(
    Promise.resolve(written).catch((error: unknown) => console.error('use of a session:', errorMessage(error))),
  )
}
