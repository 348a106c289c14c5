/** Who answers a waiting run. */
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Responder } from '#contract/runs/events.ts'
import { apikeys, users } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { AppEnv } from '../../http/route.ts'
import type { LoadedCall } from './load-run-context.ts'

/** Returns the user or the workspace's key that makes a call. Everyone else stays unnamed. */
export async function findResponder(
  c: Context<AppEnv>,
  { chatType, runContext: { flow, key } }: Pick<LoadedCall, 'chatType' | 'runContext'>,
): Promise<Responder> {
  const { actor, services } = c.var
  if (chatType === 'INTERNAL' && actor.kind === 'user') {
    const [user] = await services.db.select({ name: users.name }).from(users).where(eq(users.id, actor.userId))
    return { kind: 'user', id: actor.userId, name: user?.name }
  }
  const keyId = chatType === 'INTERNAL' && actor.kind === 'apiKey' ? actor.keyId : key?.id
  if (!keyId) return { kind: 'caller' }
  const [own] = await scope(services.db, flow).select(apikeys, eq(apikeys.id, keyId))
  return own ? { kind: 'apiKey', id: keyId, name: own.keyName } : { kind: 'caller' }
}
