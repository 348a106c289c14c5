/** Validates a webhook request. Every refusal happens here, before anything runs. */

import { GUESSABLE_CHAT, isRandomChatId } from '#contract/chats/chat-ids.ts'
import { pathOfNul } from '#contract/data/json.ts'
import { HeddleError } from '#contract/errors.ts'
import { type Prediction, predictionSchema } from '#contract/predictions/predictions.ts'
import type { WebhookPayload } from '#contract/triggers/index.ts'
import { type BodyResult, readWebhookBody } from '#contract/triggers/webhook-body.ts'
import { receiptKeys } from '#contract/triggers/webhook-receipt.ts'
import { signatureClaim, timeProblem } from '#contract/triggers/webhook-signature.ts'
import { shapeProblem } from '#contract/triggers/webhook-validation.ts'
import { parse } from '../../../http/decode.ts'
import { takeFrom } from '../../../http/rate-limit.ts'
import type { Services } from '../../../services.ts'
import type { Webhook } from './find-webhook.ts'
import { type Handshake, handshakeOf } from './handshake.ts'
import { type IncomingRequest, payloadOf } from './incoming-request.ts'
import { decryptSecrets } from './secrets.ts'
import { verify } from './verify-signature.ts'

export type ValidRequest =
  | { kind: 'delivery'; payload: WebhookPayload; chatId?: string; notice?: string; receipts: string[] }
  | { kind: 'answer'; body: Prediction }
  | ({ kind: 'handshake' } & Handshake)

/**
 * Checks who sends the request: a signature, or where none is asked for, that the webhook is open. Throws a HeddleError
 * with the reason of a refusal. Returns the hash of the signed bytes, or undefined when nothing was signed.
 */
export async function assertFromSender(
  services: Services,
  hook: Webhook,
  incoming: IncomingRequest,
): Promise<string | undefined> {
  if (hook.trigger.settings.signature === 'none') assertActive(hook.trigger.state)
  const { signedHash } = await verifySignature(services, hook, incoming)
  return signedHash
}

/** Validates a request of the webhook's sender. Throws a HeddleError with the reason of a refusal. */
export async function validateRequest(
  services: Services,
  hook: Webhook,
  { incoming, signedHash }: { incoming: IncomingRequest; signedHash: string | undefined },
): Promise<ValidRequest> {
  const { settings, state } = hook.trigger
  assertActive(state)
  assertSize(incoming, settings.maxBytes)
  await countRequest(services, hook)
  const result = readWebhookBody(settings.contentType, {
    bytes: incoming.bytes,
    contentType: incoming.headerOf('content-type'),
    contentEncoding: incoming.headerOf('content-encoding'),
  })
  const conversationFields = readConversationFields(result)
  const chatId = conversationFields?.chatId
  const isOpen = !chatId || mayContinue(hook.trigger, chatId)
  if (conversationFields?.humanInput) {
    if (!isOpen) throw wrongField('chatId', 'An unsigned request answers by a random chat id alone')
    return { kind: 'answer', body: conversationFields }
  }
  assertMethod(incoming.method, settings.method)
  const body = requireBody(result)
  const handshake = handshakeOf(settings.signature, incoming.headerOf, body)
  if (handshake) return { kind: 'handshake', ...handshake }
  assertShape(hook, incoming, body)
  return {
    kind: 'delivery',
    payload: payloadOf(incoming, settings, body),
    ...(chatId && (isOpen ? { chatId } : { notice: GUESSABLE_CHAT })),
    receipts: receiptKeys({
      signature: settings.signature,
      headerOf: incoming.headerOf,
      body,
      ...(signedHash !== undefined && { signedHash }),
    }),
  }
}

function assertActive(state: Webhook['trigger']['state']): void {
  if (state === 'active') return
  if (state === 'ended') throw new HeddleError('not_found', 'This webhook has ended because its flow no longer uses it')
  throw new HeddleError('conflict', 'This webhook is paused. Resume it to accept requests')
}

function assertSize({ bytes }: IncomingRequest, maxBytes: number): void {
  if (bytes.length > maxBytes) throw new HeddleError('too_large', `The body is larger than ${maxBytes} bytes`)
}

async function verifySignature(services: Services, hook: Webhook, { headerOf, bytes, at }: IncomingRequest) {
  const { settings } = hook.trigger
  const claim = signatureClaim(settings, headerOf)
  const secrets = claim.kind === 'open' ? [] : await decryptSecrets(services, hook, at)
  const verdict = verify(claim, bytes, secrets)
  if (!verdict.isGenuine) throw new HeddleError('unauthorized', verdict.message)
  const { toleranceSeconds } = settings
  const signedAt = claim.kind === 'hmac' ? claim.signedAt : undefined
  const problem = signedAt === undefined ? undefined : timeProblem(signedAt, { now: at, toleranceSeconds })
  if (problem) throw new HeddleError('unauthorized', problem)
  return verdict
}

/** Only verified requests count, so that anonymous callers cannot use up the limit. */
async function countRequest(services: Services, { trigger, perMinute }: Webhook): Promise<void> {
  const windows = [
    { key: `webhook ${trigger.id}`, max: trigger.operations.perMinute },
    { key: `webhooks of ${trigger.workspaceId}`, max: perMinute },
  ]
  const counted = windows.flatMap(({ key, max }) => (max === null ? [] : [{ key, max, windowSeconds: 60 }]))
  if (counted.length > 0) await takeFrom(services, counted)
}

/** Reads the fields with meaning for Heddle: the chat to continue, and a person's answer. */
function readConversationFields(result: BodyResult): Prediction | undefined {
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

/** Anyone may send an unsigned request, so its chat id has to be one that nobody can guess. */
const mayContinue = ({ settings, flowId }: Webhook['trigger'], chatId: string): boolean =>
  settings.signature !== 'none' || isRandomChatId(chatId, flowId)

function assertMethod(method: string, allow: string): void {
  if (method !== allow) throw new HeddleError('wrong_method', `This webhook accepts ${allow}, not ${method}`, { allow })
}

function requireBody(result: BodyResult): unknown {
  if (result.isRead) return result.value
  const { status, message, field } = result
  if (status === 415) throw new HeddleError('wrong_type', message)
  throw field ? wrongField(field, message) : new HeddleError('bad_request', message)
}

function assertShape({ trigger }: Webhook, { headers, query }: IncomingRequest, body: unknown): void {
  const nul = pathOfNul(query)
  if (nul) throw wrongField(['query', ...nul].join('.'), 'This must not contain a NUL character')
  const problem = shapeProblem(trigger.settings, { headers, query, body })
  if (problem) throw wrongField(problem.field, problem.message)
}

function wrongField(field: string, message: string): HeddleError {
  return new HeddleError('bad_request', `${field}: ${message}`, { field })
}
