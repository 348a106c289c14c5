/** Who answers a waiting run. */
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { OUTSIDER, type Standing } from '#contract/runs/approvers.ts'
import type { Responder } from '#contract/runs/events.ts'
import { apikeys } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { AppEnv } from '../../http/route.ts'
import { memberStanding } from '../../http/standing.ts'
import { hasKeyToView } from './authorize.ts'
import type { LoadedCall } from './load-run-context.ts'

interface Answering {
  by: Responder
  standing: Standing
}

/** Returns the user or the workspace's key that makes a call. Everyone else stays unnamed. */
export async function findResponder(
  c: Context<AppEnv>,
  { chatType, runContext: { flow, key } }: Pick<LoadedCall, 'chatType' | 'runContext'>,
): Promise<Answering> {
  const { actor, services } = c.var
  const isInternal = chatType === 'INTERNAL'
  if (isInternal && actor.kind === 'user') {
    return { by: { kind: 'user', id: actor.userId, name: actor.name }, standing: memberStanding(actor) }
  }
  const keyId = isInternal && actor.kind === 'apiKey' ? actor.keyId : key?.id
  const [own] = keyId ? await scope(services.db, flow).select(apikeys, eq(apikeys.id, keyId)) : []
  if (!own) return { by: { kind: 'caller' }, standing: OUTSIDER }
  const isMember = isInternal || hasKeyToView({ flow, key }, services.clock.now())
  return { by: { kind: 'apiKey', id: own.id, name: own.keyName }, standing: isMember ? memberStanding() : OUTSIDER }
}
