/** Refuses callers from outside whom a flow's owner does not let in. Every public call that names a flow asks here. */
import { and, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import {
  type CallableFlow,
  type CallersKey,
  callRefusal,
  NOT_OPEN,
  type OutsideCaller,
  viewPermission,
} from '#contract/access/callers.ts'
import { isRandomChatId } from '#contract/chats/chat-ids.ts'
import { HeddleError } from '#contract/errors.ts'
import { chatflows } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse } from '#db/scope.ts'
import { resolveSession } from '../../http/actor.ts'
import { mayUse } from '../../http/permission.ts'
import type { AppEnv } from '../../http/route.ts'
import { apiKeyQuery } from '../../http/session/identity.ts'
import { expiredKey, isExpired, noteKeyUse } from '../../http/session/key-use.ts'
import type { Services } from '../../services.ts'

/** Reads the settings of a flow that decide who may call it. Throws what `assertMayCall` throws. */
export async function readCallableFlow(c: Context<AppEnv>, id: string | undefined): Promise<CallableFlow> {
  return assertMayCall(c, id === undefined ? undefined : await findCallableFlow(c.get('services'), id))
}

async function findCallableFlow({ db }: Pick<Services, 'db'>, id: string): Promise<CallableFlow | undefined> {
  const { type, workspaceId, callers, apikeyid, chatbotConfig } = chatflows
  const [row] = await acrossWorkspaces(db, 'a public call names a flow by id, and its row says who may call it')
    .select({ id: chatflows.id, type, workspaceId, callers, apikeyid, chatbotConfig })
    .from(chatflows)
    .where(and(eq(chatflows.id, id), isInUse(workspaceId)))
  return row
}

/** Reads the API key that the call carries, if it exists. */
async function readSentKey(c: Context<AppEnv>): Promise<OutsideCaller['key']> {
  const key = bearerKey(c)
  if (key === undefined) return undefined
  const [row] = await apiKeyQuery(c.get('services').db, key)
  return row
}

/** Returns the API key that the call carries. Throws `unauthorized`. */
export async function readKey(c: Context<AppEnv>): Promise<CallersKey> {
  const key = usableKey(c, await readSentKey(c))
  c.set('calledWorkspaceId', key.workspaceId)
  noteKeyUse(c, key)
  return key
}

/** Throws `unauthorized` unless the key exists and has not expired. */
export function usableKey(c: Context<AppEnv>, key: CallersKey | undefined): CallersKey {
  if (!key) {
    const message = 'Send an API key of your workspace: Authorization: Bearer <key>'
    throw new HeddleError('unauthorized', message, INVALID_KEY)
  }
  if (!isExpired(key, c.get('services').clock.now())) return key
  throw new HeddleError('unauthorized', expiredKey(key).message, INVALID_KEY)
}

/** As OpenAI's clients know it. */
const INVALID_KEY = { code: 'invalid_api_key' }

/** Returns the Bearer key that the call carries. */
export function bearerKey(c: Context<AppEnv>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
}

/**
 * Returns the flow. Throws `unauthorized` or `forbidden`, saying what to do. Callers who are not of its workspace cannot
 * tell a flow that is closed from one that does not exist, so both take the same way.
 * @param flow undefined when there is none
 * @param key the row of the key that the call carries, where it is already read
 */
export async function assertMayCall<Flow extends CallableFlow>(
  c: Context<AppEnv>,
  flow: Flow | undefined,
  key?: OutsideCaller['key'],
): Promise<Flow> {
  if (flow) c.set('calledWorkspaceId', flow.workspaceId)
  const origin = c.req.header('origin') ?? showingPage(c)
  const now = c.get('services').clock.now()
  const usable = (known: typeof key) => (known && !isExpired(known, now) ? known : undefined)
  if (usable(key)) noteKeyUse(c, key as CallersKey)
  if (flow && callRefusal(flow, { key: usable(key), origin }) === undefined) return flow
  const given = key ?? (await readSentKey(c))
  const refusal = callRefusal(flow, { key: usable(given), origin })
  const isOpen = !refusal || (await isMember(c, flow))
  if (flow && isOpen) return flow
  if (given && !usable(given)) throw expiredKey(given)
  const { code, message } = refusal ?? NOT_OPEN
  throw new HeddleError(code, message)
}

/** Returns true for a key of the flow's workspace, and for a member who may view the flow. A wrong one is nobody's. */
export async function isKnownCaller(c: Context<AppEnv>, flow: CallableFlow): Promise<boolean> {
  const key = await readSentKey(c)
  if (key) return key.workspaceId === flow.workspaceId && !isExpired(key, c.get('services').clock.now())
  try {
    return await isMember(c, flow)
  } catch (error) {
    if (error instanceof HeddleError) return false
    throw error
  }
}

/** Returns true for a random chat id, which only people in the chat know; for other ids, who asks must be known. */
export async function mayNameChat(c: Context<AppEnv>, flow: CallableFlow, chatId: string): Promise<boolean> {
  return isRandomChatId(chatId, flow.id) || isKnownCaller(c, flow)
}

/** Returns the site whose page shows what is asked for: of a picture or a sound, browsers say that as Referer only. */
function showingPage(c: Context<AppEnv>): string | undefined {
  const isShown = /^(?:image|audio|video)$/.test(c.req.header('sec-fetch-dest') ?? '')
  if (!isShown || c.req.header('sec-fetch-site') === 'same-origin') return undefined
  return URL.parse(c.req.header('referer') ?? '')?.origin
}

/** Returns true for a signed-in member of the flow's workspace who may view it. */
async function isMember(c: Context<AppEnv>, flow: CallableFlow | undefined): Promise<boolean> {
  if (c.req.header('authorization') !== undefined) return false
  const actor = await resolveSession(c)
  if (actor.kind === 'nobody' || !flow || actor.workspaceId !== flow.workspaceId) return false
  return mayUse({ permission: viewPermission(flow.type) }, actor, c.get('services').config.platformType)
}
