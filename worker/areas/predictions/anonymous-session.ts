/** Who is neither a member nor has a key, and which conversation is theirs. Pure. */
import * as z from 'zod'
import { mayRun } from '#contract/access/callers.ts'
import type { Prediction } from '#contract/predictions/predictions.ts'
import { isExpired } from '../../http/session/key-use.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import type { ChatType } from '../../runs/inputs/call.ts'

/** Returns true for a caller from outside who shows no key that may run the flow, whoever may call it. */
export function isAnonymous(
  { chatType, runContext: { flow, key } }: { chatType: ChatType; runContext: Pick<RunContext, 'flow' | 'key'> },
  now: Date,
): boolean {
  if (chatType === 'INTERNAL') return false
  return key === undefined || isExpired(key, now) || !(key.id === flow.apikeyid || mayRun(flow, key))
}

/**
 * Returns the call with a conversation that no name opens: that of its chat id, which an answer gave, and which may also
 * come as the session id. So integrators may use numbers and addresses of their users as session ids. A chat id that is
 * not random never opens what callers with a key said under this name.
 */
export function withOwnSession(body: Prediction): Prediction {
  const { sessionId: named, ...overrides } = body.overrideConfig ?? {}
  const chatId = body.chatId ?? (isRandom(named) ? named : undefined)
  if (chatId && !isRandom(chatId)) {
    return { ...body, chatId, overrideConfig: { ...overrides, sessionId: `anonymous:${chatId}`.slice(0, MAX_LENGTH) } }
  }
  return { ...body, chatId, ...(body.overrideConfig && { overrideConfig: overrides }) }
}

const MAX_LENGTH = 200

const isRandom = (id: string | null | undefined) => z.uuid().safeParse(id).success
