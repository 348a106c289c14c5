/** Handles a webhook request. */
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { errorReport, HeddleError } from '#contract/errors.ts'
import { triggerDeliveries } from '#db/schema/index.ts'
import type { RunOutcome } from '../../../engine/types.ts'
import { ownOrigin } from '../../../http/own-origin.ts'
import type { AppEnv } from '../../../http/route.ts'
import { respondWithRun } from '../../../runs/answers/run-response.ts'
import { assertRecordsLeft } from '../../../runs/records/records-budget.ts'
import { runFlow } from '../../../runs/run-flow.ts'
import type { RunStart } from '../../../runs/run-start.ts'
import { respondToTriggeredRun, startTriggeredRun } from '../../../runs/triggered-run.ts'
import type { Services } from '../../../services.ts'
import { type CompletedAttempt, followUp, sendNotifications } from '../after-delivery.ts'
import { type AttemptResult, completionStatements, toAttemptResult } from '../complete-delivery.ts'
import { isUnsigned, runRecords } from '../delivery-records.ts'
import { dispatch } from '../dispatch.ts'
import { inputOf } from '../run-input.ts'
import { sendCallback } from './callback.ts'
import { readDelivery } from './delivery-status.ts'
import { findWebhook, type Webhook } from './find-webhook.ts'
import { type IncomingRequest, readIncomingRequest } from './incoming-request.ts'
import { type RejectedRequest, recordDelivery, recordRejected } from './record-delivery.ts'
import { assertFromSender, type ValidRequest, validateRequest } from './validate-request.ts'

interface Received {
  hook: Webhook
  incoming: IncomingRequest
  /** The id of its delivery. */
  id: string
}

type Answer = () => Promise<Response>

/** Throws `unauthorized` for an address that is no webhook. */
export async function assertReceives(c: Context<AppEnv>): Promise<void> {
  const address = c.req.param('id') ?? ''
  if (await findWebhook(c.get('services'), { address, deliveryId: crypto.randomUUID() })) return
  throw notTaken()
}

/** What those who are not its sender learn of a webhook, and of an address that is none. Its owner finds the reason. */
const notTaken = () =>
  new HeddleError(
    'unauthorized',
    'No webhook at this address takes this request. Check the address and the signature. If it exists, its owner finds the reason under Triggers.',
  )

export async function receiveWebhook(c: Context<AppEnv>, address: string): Promise<Response> {
  const services = c.get('services')
  const id = crypto.randomUUID()
  const incoming = await readIncomingRequest(c)
  const hook = await findWebhook(services, { address, deliveryId: id })
  if (!hook) throw notTaken()
  c.set('calledWorkspaceId', hook.trigger.workspaceId)
  const received: Received = { hook, incoming, id }
  const refusing = (from: RejectedRequest['from']) => async (error: unknown) => {
    if (!(error instanceof HeddleError)) throw error
    const recorded = recordRejected(services, received, { state: 'refused', reason: error.message, from })
    if (from === 'sender') await recorded
    else c.executionCtx.waitUntil(recorded.catch(reportUnrecorded))
    throw from === 'sender' ? error : notTaken()
  }
  const signedHash = await assertFromSender(services, hook, incoming).catch(refusing('anonymous'))
  const answer = await validateRequest(services, hook, { incoming, signedHash })
    .then((request) => prepare(c, received, request))
    .catch(refusing('sender'))
  return answer()
}

const reportUnrecorded = (error: unknown) => console.error('a rejected delivery:', errorReport(error))

/** Does everything before the run. Later errors are not recorded as rejections. */
async function prepare(c: Context<AppEnv>, received: Received, request: ValidRequest): Promise<Answer> {
  const services = c.get('services')
  const { hook } = received
  if (isUnsigned(hook.trigger)) await assertRoom(services, hook)
  switch (request.kind) {
    case 'handshake':
      await recordRejected(services, received, { state: 'skipped', reason: request.reason, from: 'sender' })
      return async () => c.json(request.answer)
    case 'answer': {
      const start = await respondToTriggeredRun(services, { flow: hook.target.flow, body: request.body })
      return () => continueDelivery(c, hook, start)
    }
    case 'delivery':
      return hook.trigger.settings.response === 'async'
        ? acceptLater(c, received, request)
        : startInRequest(c, received, request)
  }
}

/** An extra round trip at most where such calls have a budget, and this isolate does not know the address yet. */
async function assertRoom(services: Services, { readRunContext }: Webhook): Promise<void> {
  if (services.config.anonymousBytesPerDay !== undefined) assertRecordsLeft(services, await readRunContext())
}

type Delivery = Extract<ValidRequest, { kind: 'delivery' }>

/** Runs the delivery while the caller waits: stores the delivery, its receipts and the run together, then runs it. */
async function startInRequest(c: Context<AppEnv>, { hook, incoming, id }: Received, taken: Delivery): Promise<Answer> {
  const services = c.get('services')
  const { trigger, target } = hook
  const { payload: webhook, chatId, notice, receipts } = taken
  const payload = { webhook, ...(chatId !== undefined && { chatId }) }
  const { opening, ...start } = startTriggeredRun(services, await hook.readRunContext(chatId), {
    ...target,
    chatType: 'WEBHOOK',
    input: inputOf(trigger.settings, payload),
    ...(chatId !== undefined && { chatId }),
  })
  const delivery = await recordDelivery(
    services,
    { hook, incoming },
    { delivery: { id, payload, receipts, executionId: target.executionId }, more: opening ?? [] },
  )
  const closing = { trigger, delivery }
  let end: AttemptResult | undefined
  return () =>
    respondWithRun(c, start, {
      streaming: trigger.settings.response === 'stream',
      audience: 'caller',
      ...(notice && { notice }),
      closing(outcome) {
        end = toAttemptResult(outcome, services.clock.now())
        return [...completionStatements(services.db, closing, end), ...runRecords(services, trigger, start, outcome)]
      },
      after: async () => end && finishDelivery(services, { ...closing, end }),
    })
}

/** Runs after the response. Retries run in a Workflow instance. */
async function finishDelivery(services: Services, closed: CompletedAttempt): Promise<void> {
  const { delivery } = closed
  const { again, mustNotify } = await followUp(services, closed)
  const { id: deliveryId, workspaceId } = delivery
  if (mustNotify) await sendNotifications(services, { workspaceId, deliveryId })
  if (again === null) return
  const { triggerId, flowId, attempts: attempt, payload } = delivery
  const chatId = payload?.chatId ?? null
  const params = {
    kind: 'delivery' as const,
    deliveryId,
    triggerId,
    flowId,
    workspaceId,
    attempt,
    chatId,
    notBefore: again,
  }
  await services.backgroundRuns.createBatch([{ id: deliveryId, params }])
}

/** Continues a run after a person's answer. Async webhooks report the result through the original delivery. */
async function continueDelivery(c: Context<AppEnv>, { trigger }: Webhook, start: RunStart): Promise<Response> {
  const services = c.get('services')
  const { response } = trigger.settings
  const delivery = response === 'async' ? await readDelivery(services, trigger, start.executionId) : undefined
  const at = { ...start, startedAt: services.clock.now() }
  const closing = (outcome: RunOutcome) => runRecords(services, trigger, at, outcome)
  if (!delivery) return respondWithRun(c, start, { streaming: response === 'stream', audience: 'caller', closing })
  const work = runFlow(services, start, { emit() {}, closing }).then(() =>
    sendCallback(services, { workspaceId: trigger.workspaceId, deliveryId: delivery.id }),
  )
  c.executionCtx.waitUntil(
    work.catch((error) => console.error(`callback of delivery ${delivery.id} failed:`, errorReport(error))),
  )
  return processing(c, { id: delivery.id, chatId: start.chatId })
}

/** Hands the delivery to a Workflow instance, without waiting. The minute job retries a failed dispatch. */
async function acceptLater(c: Context<AppEnv>, { hook, incoming, id }: Received, taken: Delivery): Promise<Answer> {
  const services = c.get('services')
  const chatId = taken.chatId ?? crypto.randomUUID()
  const payload = { webhook: taken.payload, chatId }
  await recordDelivery(services, { hook, incoming }, { delivery: { id, payload, receipts: taken.receipts } })
  return async () => {
    const dispatched = dispatch(services, { condition: eq(triggerDeliveries.id, id), now: incoming.at, limit: 1 })
    await dispatched.catch((error) => {
      console.error(`delivery ${id} dispatch failed, the minute job will retry:`, errorReport(error))
    })
    return processing(c, { id, chatId, ...(taken.notice && { notice: taken.notice }) })
  }
}

function processing(c: Context<AppEnv>, accepted: { id: string; chatId: string; notice?: string }): Response {
  const { id, ...chat } = accepted
  const statusUrl = `${ownOrigin(c)}${new URL(c.req.url).pathname}/deliveries/${id}`
  return c.json({ ...chat, status: 'PROCESSING', deliveryId: id, statusUrl }, 202)
}
