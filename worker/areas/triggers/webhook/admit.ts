/** Decides about a request: everything that can be refused is refused here, in this order, before anything runs. */
import { HeddleError } from '#contract/errors.ts'
import { pathOfNul } from '#contract/json.ts'
import { type Prediction, predictionSchema } from '#contract/predictions.ts'
import type { WebhookPayload } from '#contract/triggers/index.ts'
import { type BodyResult, readWebhookBody } from '#contract/triggers/webhook-body.ts'
import { receiptKeys } from '#contract/triggers/webhook-receipt.ts'
import { shapeProblem } from '#contract/triggers/webhook-shape.ts'
import { signatureClaim, timeProblem } from '#contract/triggers/webhook-signature.ts'
import { parse } from '../../../http/decode.ts'
import { takeFrom } from '../../../http/rate-limit.ts'
import type { Services } from '../../../services.ts'
import { type Arrival, payloadOf } from './arrival.ts'
import type { Webhook } from './find.ts'
import { type Greeting, greetingOf } from './greeting.ts'
import { secretsOf } from './secrets.ts'
import { verify } from './verify.ts'

export type Admitted =
  | { kind: 'delivery'; payload: WebhookPayload; chatId?: string; receipts: string[] }
  | { kind: 'answer'; body: Prediction }
  | ({ kind: 'greeting' } & Greeting)

/**
 * The part that a stranger comes to as well. Throws a HeddleError that says why the request is not taken.
 * @returns the hash of what was signed, where anything was
 */
export async function assertProven(services: Services, hook: Webhook, arrival: Arrival): Promise<string | undefined> {
  assertActive(hook.trigger.state)
  assertSize(arrival, hook.trigger.settings.maxBytes)
  const { signedHash } = await assertGenuine(services, hook, arrival)
  return signedHash
}

/** What was proven to come from the sender. Throws as well. */
export async function admit(
  services: Services,
  hook: Webhook,
  { arrival, signedHash }: { arrival: Arrival; signedHash: string | undefined },
): Promise<Admitted> {
  const { settings } = hook.trigger
  await countIn(services, hook)
  const result = readWebhookBody(settings.contentType, {
    bytes: arrival.bytes,
    contentType: arrival.headerOf('content-type'),
    contentEncoding: arrival.headerOf('content-encoding'),
  })
  const lifted = liftedOf(result)
  if (lifted?.humanInput) return { kind: 'answer', body: lifted }
  assertMethod(arrival.method, settings.method)
  const body = readOf(result)
  const greeting = greetingOf(settings.signature, arrival.headerOf, body)
  if (greeting) return { kind: 'greeting', ...greeting }
  assertShape(hook, arrival, body)
  return {
    kind: 'delivery',
    payload: payloadOf(arrival, settings, body),
    ...(lifted?.chatId && { chatId: lifted.chatId }),
    receipts: receiptKeys({
      signature: settings.signature,
      headerOf: arrival.headerOf,
      body,
      ...(signedHash !== undefined && { signedHash }),
    }),
  }
}

function assertActive(state: Webhook['trigger']['state']): void {
  if (state === 'active') return
  if (state === 'ended')
    throw new HeddleError('not_found', 'This webhook has ended: its flow is started differently now')
  throw new HeddleError('conflict', 'This webhook is paused and takes nothing until it is resumed')
}

function assertSize({ bytes }: Arrival, maxBytes: number): void {
  if (bytes.length > maxBytes) throw new HeddleError('too_large', `The body is larger than ${maxBytes} bytes`)
}

async function assertGenuine(services: Services, hook: Webhook, { headerOf, bytes, at }: Arrival) {
  const { settings } = hook.trigger
  const claim = signatureClaim(settings, headerOf)
  const secrets = claim.kind === 'open' ? [] : await secretsOf(services, hook, at)
  const verdict = verify(claim, bytes, secrets)
  if (!verdict.isGenuine) throw new HeddleError('unauthorized', verdict.message)
  const { toleranceSeconds } = settings
  const signedAt = claim.kind === 'hmac' ? claim.signedAt : undefined
  const problem = signedAt === undefined ? undefined : timeProblem(signedAt, { now: at, toleranceSeconds })
  if (problem) throw new HeddleError('unauthorized', problem)
  return verdict
}

/** Only what is genuine is counted: strangers cannot use up a sender's share. */
async function countIn(services: Services, { trigger, perMinute }: Webhook): Promise<void> {
  const windows = [
    { key: `webhook ${trigger.id}`, max: trigger.operations.perMinute },
    { key: `webhooks of ${trigger.workspaceId}`, max: perMinute },
  ]
  const counted = windows.flatMap(({ key, max }) => (max === null ? [] : [{ key, max, windowSeconds: 60 }]))
  if (counted.length > 0) await takeFrom(services, counted)
}

/** The parts of a body that are for us: whose conversation it goes on with, and what a person answers in it. */
function liftedOf(result: BodyResult): Prediction | undefined {
  if (!result.isRead || typeof result.value !== 'object' || result.value === null) return undefined
  const own = (key: string) =>
    Object.hasOwn(result.value as object, key) ? Reflect.get(result.value as object, key) : undefined
  const humanInput = own('humanInput')
  const chatId = own('chatId')
  return parse(predictionSchema, {
    ...(typeof humanInput === 'object' && { humanInput }),
    ...(typeof chatId === 'string' && chatId !== '' && { chatId }),
  })
}

function assertMethod(method: string, allow: string): void {
  if (method !== allow) throw new HeddleError('wrong_method', `This webhook takes ${allow}, not ${method}`, { allow })
}

function readOf(result: BodyResult): unknown {
  if (result.isRead) return result.value
  const { status, message, field } = result
  if (status === 415) throw new HeddleError('wrong_type', message)
  throw field ? wrongField(field, message) : new HeddleError('bad_request', message)
}

function assertShape({ trigger }: Webhook, { headers, query }: Arrival, body: unknown): void {
  const nul = pathOfNul(query)
  if (nul) throw wrongField(['query', ...nul].join('.'), 'This must not hold a NUL character')
  const problem = shapeProblem(trigger.settings, { headers, query, body })
  if (problem) throw wrongField(problem.field, problem.message)
}

function wrongField(field: string, message: string): HeddleError {
  return new HeddleError('bad_request', `${field}: ${message}`, { field })
}
