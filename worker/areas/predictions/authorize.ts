/** Who may call a flow from outside: the key that it is bound to, the sites that it allows, as often as it allows. */
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import { readApiConfig, readChatbotConfig } from '#contract/flow-settings.ts'
import { callerAddress } from '../../http/caller-address.ts'
import { takeFrom } from '../../http/rate-limit.ts'
import type { AppEnv } from '../../http/route.ts'
import { tokenHash } from '../../http/session/secrets.ts'
import type { RunContext } from '../../runs/run-context.ts'

/** Hash of the Bearer key that the call carries. */
export function keyHashOf(c: Context<AppEnv>): string | undefined {
  const key = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  return key && tokenHash(key)
}

/** Throws `unauthorized`, `forbidden` or `rate_limited`. */
export async function authorizeCaller(c: Context<AppEnv>, { flow, key }: RunContext): Promise<void> {
  checkKey(flow, key)
  checkSite(c.req.header('origin'), flow.chatbotConfig)
  await countCall(c, flow)
}

/** A flow that is bound to a key answers to exactly that key. */
function checkKey(flow: RunContext['flow'], key: RunContext['key']): void {
  if (!flow.apikeyid) return
  if (key?.id === flow.apikeyid && key.workspaceId === flow.workspaceId) return
  throw new HeddleError('unauthorized', 'This flow needs its API key: send it as Authorization: Bearer <key>')
}

function checkSite(origin: string | undefined, chatbotConfig: string | null): void {
  if (!origin) return
  const { allowedOrigins, allowedOriginsError } = readChatbotConfig(chatbotConfig)
  if (!allowedOrigins[0] || allowedOrigins.some((site) => hostOf(site) === hostOf(origin))) return
  throw new HeddleError('forbidden', allowedOriginsError || 'This site is not allowed to use this chatbot')
}

/** Throws `rate_limited`. */
export async function countCall(c: Context<AppEnv>, flow: RunContext['flow']): Promise<void> {
  const { rateLimit } = readApiConfig(flow.apiConfig)
  if (!rateLimit) return
  const key = `prediction ${flow.id} ${callerAddress(c)}`
  const window = { key, max: rateLimit.limitMax, windowSeconds: rateLimit.limitDuration }
  try {
    await takeFrom(c.get('services'), [window])
  } catch (thrown) {
    if (!(thrown instanceof HeddleError) || !rateLimit.limitMsg) throw thrown
    throw new HeddleError(thrown.code, rateLimit.limitMsg, thrown.details)
  }
}

function hostOf(site: string): string {
  return URL.parse(site)?.host ?? URL.parse(`https://${site}`)?.host ?? site
}
