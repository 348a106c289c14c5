/** Decides who may call a flow: members by their permissions, callers from outside by what its owner allows. */
import type { Context } from 'hono'
import { mayView } from '#contract/access/callers.ts'
import { ANONYMOUS_CHARACTERS } from '#contract/chatflows/flow-settings.ts'
import { HeddleError } from '#contract/errors.ts'
import { fieldBeyond } from '#contract/predictions/call-size.ts'
import { callerAddress } from '../../http/caller-address.ts'
import { anonymousCallsPerMinute, takeFrom, takeFromIsolate } from '../../http/rate-limit.ts'
import type { AppEnv, Member } from '../../http/route.ts'
import { isExpired } from '../../http/session/key-use.ts'
import { tokenHash } from '../../http/session/secrets.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import { flowNotFound } from '../../runs/errors.ts'
import { assertRecordsLeft } from '../../runs/records/records-budget.ts'
import type { Config } from '../../services.ts'
import { allowedTypes, assertAllowed, assertMayCall, bearerKey, readCallableFlow } from '../chatflows/index.ts'
import { isAnonymous } from './anonymous-session.ts'
import { type LoadedCall, loadRunContext, type PredictionCall } from './load-run-context.ts'
import { assertSigned } from './session-signature.ts'

/** Returns the hash of the Bearer key that the call carries. */
export function keyHashOf(c: Context<AppEnv>): string | undefined {
  const key = bearerKey(c)
  return key && tokenHash(key)
}

/** Returns true for a call with a key that may also see what the flow is made of. */
export function hasKeyToView({ flow, key }: Pick<RunContext, 'flow' | 'key'>, now: Date): boolean {
  return key !== undefined && !isExpired(key, now) && mayView(flow, key)
}

/** Reads what the call needs, and throws as `authorizeCaller` does, of a flow that does not exist too. */
export async function loadAuthorized(c: Context<AppEnv>, call: PredictionCall): Promise<LoadedCall> {
  const services = c.get('services')
  const loaded = await loadRunContext(services, call, keyHashOf(c)).catch(async (error: unknown) => {
    // What is wrong with a flow is said to those who may call it.
    await readCallableFlow(c, call.flowId)
    throw error
  })
  await authorizeCaller(c, loaded)
  return loaded
}

/** Throws `unauthorized`, `forbidden`, `rate_limited`, or `bad_request` for a session with a wrong signature. */
export async function authorizeCaller(c: Context<AppEnv>, call: LoadedCall): Promise<void> {
  const { flow, key } = call.runContext
  await assertMayCall(c, flow, key)
  await countUploads(c, call)
  if (isAnonymous(call, c.get('services').clock.now())) {
    await authorizeAnonymous(c, call.runContext, call.body)
    return assertSigned(c.get('services'), call)
  }
  await countCall(c, flow, { isAnonymous: false })
}

/** Throws `bad_request` for a call that is too long, or `rate_limited`. */
export async function authorizeAnonymous(c: Context<AppEnv>, runContext: RunContext, body: object): Promise<void> {
  assertSize(runContext.flow, body)
  await countCall(c, runContext.flow, { isAnonymous: true })
  assertRecordsLeft(c.get('services'), runContext)
}

/** Throws `bad_request` with the field, when an anonymous caller sends more characters than the flow's owner lets them. */
function assertSize({ apiConfig }: RunContext['flow'], body: object): void {
  const max = apiConfig.callSize?.maxCharacters ?? ANONYMOUS_CHARACTERS
  const field = fieldBeyond(body, max)
  if (!field) return
  const message = `Send at most ${max} characters, not counting files. The owner of the flow can allow more under Share.`
  throw new HeddleError('bad_request', `${field}: ${message}`, { field })
}

/** Throws `not_found` for a flow of another workspace, or `forbidden` when the member may not view flows of its type. */
export function authorizeMember(actor: Member, config: Config, { flow }: RunContext): void {
  if (flow.workspaceId !== actor.workspaceId) throw flowNotFound(flow.id)
  assertAllowed(flow.type, allowedTypes(actor, config, 'view'))
}

/**
 * Counts a call against the rate limit that the flow's owner set; where there is none, that of anonymous callers. Throws
 * `rate_limited`.
 */
export async function countCall(
  c: Context<AppEnv>,
  flow: RunContext['flow'],
  { isAnonymous }: { isAnonymous: boolean },
): Promise<void> {
  const { rateLimit } = flow.apiConfig
  const key = `prediction ${flow.id} ${callerAddress(c)}`
  if (!rateLimit) {
    const max = anonymousCallsPerMinute(c.get('services').config)
    if (isAnonymous) takeFromIsolate({ key, max, windowSeconds: 60 })
    return
  }
  const { limitMax: max, limitDuration: windowSeconds, limitMsg } = rateLimit
  await takeFrom(c.get('services'), [{ key, max, windowSeconds, message: limitMsg || undefined }])
}

const UPLOAD_CALLS_PER_MINUTE = 30

/** Calls with files cost memory and storage, so each caller may make only so many. Throws `rate_limited`. */
async function countUploads(c: Context<AppEnv>, { body, files = [], flowId }: LoadedCall): Promise<void> {
  if (!body.uploads?.length && files.length === 0) return
  const key = `uploads ${flowId} ${callerAddress(c)}`
  await takeFrom(c.get('services'), [{ key, max: UPLOAD_CALLS_PER_MINUTE, windowSeconds: 60 }])
}
