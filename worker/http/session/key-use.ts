/** Whether an API key may still be used, and when it last was. */
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Context } from 'hono'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { apikeys } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { AppEnv } from '../route.ts'

type Key = Pick<typeof apikeys.$inferSelect, 'id' | 'workspaceId' | 'expiresDate' | 'lastUsedDate'>

export const isExpired = ({ expiresDate }: Pick<Key, 'expiresDate'>, now: Date): boolean =>
  expiresDate !== null && expiresDate <= now.toISOString()

export const expiredKey = ({ expiresDate }: Pick<Key, 'expiresDate'>) =>
  new HeddleError(
    'unauthorized',
    `This API key expired on ${expiresDate?.slice(0, 10)}. Create another one under API keys, or set a later date.`,
  )

/** Writes the hour of a key's use behind the request, once in an hour. */
export function noteKeyUse(c: Context<AppEnv>, key: Key): void {
  const { db, clock } = c.get('services')
  const hour = `${clock.now().toISOString().slice(0, 13)}:00:00.000Z`
  if (key.lastUsedDate !== null && key.lastUsedDate >= hour) return
  const isOlder = or(isNull(apikeys.lastUsedDate), lt(apikeys.lastUsedDate, hour))
  const written = scope(db, key).update(apikeys, and(eq(apikeys.id, key.id), isOlder), { lastUsedDate: hour })
  c.executionCtx.waitUntil(
    Promise.resolve(written).catch((error: unknown) => console.error('use of a key:', errorMessage(error))),
  )
}
