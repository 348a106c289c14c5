/** Who is neither a member nor has a key, and which conversation is theirs. Pure. */
import { mayRun } from '#contract/access/callers.ts'
import { GUESSABLE_CHAT, isRandomChatId } from '#contract/chats/chat-ids.ts'
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

interface OwnSession {
  body: Prediction
  /** What the caller asked for in vain. */
  notice?: string
}

/**
 * Returns an anonymous caller's call with a conversation that nobody else can name: that of a random chat id, which may
 * also come as the session id, or that of a session whose signature is checked later. Without either, it is a new one.
 */
export function withOwnSession({ flowId, body }: { flowId: string; body: Prediction }): OwnSession {
  const { sessionId: named, sessionSignature, ...overrides } = body.overrideConfig ?? {}
  const randomOf = (id: string | null | undefined) => (id && isRandomChatId(id, flowId) ? id : undefined)
  const isSigned = sessionSignature !== undefined
  const chatId = randomOf(body.chatId) ?? (isSigned ? undefined : randomOf(named))
  const own = { ...body, chatId, ...(body.overrideConfig && !isSigned && { overrideConfig: overrides }) }
  if (isSigned) return { body: own }
  if (body.chatId && body.chatId !== chatId) return { body: own, notice: GUESSABLE_CHAT }
  return named && named !== chatId ? { body: own, notice: UNSIGNED_SESSION } : { body: own }
}

const UNSIGNED_SESSION =
  'overrideConfig.sessionId: This takes an API key or a sessionSignature. The conversation is that of the chatId.'
