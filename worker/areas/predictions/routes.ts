import type { Context } from 'hono'
import * as z from 'zod'
import type { FlowType } from '#contract/chatflows.ts'
import { type ErrorCode, HeddleError } from '#contract/errors.ts'
import { replaySchema } from '#contract/executions.ts'
import {
  type Prediction,
  predictionAnswerSchema,
  predictionFields,
  predictionOf,
  predictionSchema,
  sharedAnswerSchema,
} from '#contract/predictions.ts'
import { MAX_UPLOAD_BODY_BYTES, MAX_UPLOADS } from '#contract/uploads.ts'
import { callerAddress } from '../../http/caller-address.ts'
import { receive } from '../../http/decode.ts'
import { takeFrom } from '../../http/rate-limit.ts'
import { type Answer, type AppEnv, memberOf, type ReadAlong, type Route, route } from '../../http/route.ts'
import { replayRun } from '../../runs/replay.ts'
import { readSharedRunContext, resumeRun } from '../../runs/resume.ts'
import { noSuchFlow, type RunContext, readRunContext, runContextRead } from '../../runs/run-context.ts'
import { allowedTypes, assertAllowed, flowAccess } from '../chatflows/index.ts'
import { authorizeCaller, countCall, keyHashOf } from './authorize.ts'
import { predict, runContextQuery } from './predict.ts'
import { respondWithRun } from './respond.ts'

/** A run tells how it went: at once, or as it goes. */
const answer: readonly Answer[] = [
  { schema: predictionAnswerSchema, description: 'The run has ended, or waits for a person' },
  { type: 'text/event-stream', description: 'With `streaming`: what the run says while it goes, each event as JSON' },
]
/** Chat widgets show these as they come. */
const plainRefusals: readonly Answer[] = [
  { status: 403, type: 'text/plain' },
  { status: 429, type: 'text/plain' },
]
const errors: readonly ErrorCode[] = ['unauthorized', 'conflict', 'run_failed']

const multipart = { ...predictionFields, files: { field: 'files', max: MAX_UPLOADS }, toBody: predictionOf }

const byId = z.object({ id: z.uuid('This is not the id of a flow') })

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/prediction/:id',
    summary: 'Run a flow',
    description: 'A flow that is bound to an API key asks for it: send it as `Authorization: Bearer <key>`.',
    answer: [...answer, ...plainRefusals],
    errors: [...errors, 'forbidden', 'rate_limited'],
    access: 'public',
    embeddable: true,
    params: byId,
    body: predictionSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    multipart,
    async handle({ params, body, files, services, context }) {
      try {
        const call = { body, files, chatType: 'EXTERNAL' } as const
        const query = { ...runContextQuery(services, params.id, call), keyHash: keyHashOf(context) }
        const runContext = await readRunContext(services.db, query)
        await countUploads(context, { body, files, flowId: params.id })
        await authorizeCaller(context, runContext)
        return await predict(context, { ...call, runContext })
      } catch (thrown) {
        const text = plainRefusal(thrown, body.streaming)
        if (text === undefined) throw thrown
        return text
      }
    },
  }),

  route({
    method: 'POST',
    path: '/internal-prediction/:id',
    summary: 'Run the draft of a flow',
    answer,
    errors,
    access: flowAccess('view'),
    params: byId,
    body: predictionSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    multipart,
    readAlong: runContextAlong,
    async handle({ params, body, files, actor, services, context, along }) {
      const runContext = along() as RunContext
      if (runContext.flow.workspaceId !== memberOf(actor).workspaceId) throw noSuchFlow(params.id)
      assertAllowed(runContext.flow.type, allowedTypes(actor, services.config, 'view'))
      return predict(context, { body, files, chatType: 'INTERNAL', runContext })
    },
  }),

  route({
    method: 'POST',
    path: '/public-executions/:id/answer',
    summary: 'Answer a shared run that waits for a person',
    answer,
    errors: ['conflict', 'rate_limited', 'run_failed'],
    access: 'public',
    params: z.object({ id: z.string().max(100) }),
    body: sharedAnswerSchema,
    async handle({ params, body: { streaming, ...said }, services, context }) {
      const runContext = await readSharedRunContext(services, params.id)
      await countCall(context, runContext.flow)
      const start = await resumeRun(services, runContext, said)
      return respondWithRun(context, start, { streaming, audience: 'visitor' })
    },
  }),

  route({
    method: 'POST',
    path: '/executions/:id/replay',
    summary: 'Run again from a step',
    answer,
    errors,
    access: { permission: 'executions:create' },
    params: z.object({ id: z.string().max(100) }),
    body: replaySchema,
    async handle({ params, body, actor, services, context }) {
      const mayReplay = (type: FlowType) => {
        if (body.inputs) assertAllowed(type, allowedTypes(actor, services.config, 'update'))
        if (body.draft) assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      }
      const start = await replayRun(services, memberOf(actor), { ...body, id: params.id, mayReplay })
      return respondWithRun(context, start, { streaming: body.streaming, audience: 'member', announces: true })
    },
  }),
]

const UPLOAD_CALLS_PER_MINUTE = 30

/** Calls with files cost memory and room: a caller from outside may make so many. */
async function countUploads(
  c: Context<AppEnv>,
  { body, files, flowId }: { body: Prediction; files: File[]; flowId: string },
): Promise<void> {
  if (!body.uploads?.length && files.length === 0) return
  const key = `uploads ${flowId} ${callerAddress(c)}`
  await takeFrom(c.var.services, [{ key, max: UPLOAD_CALLS_PER_MINUTE, windowSeconds: 60 }])
}

/** The ground of a call that can be read; what is wrong with any other is said when it is decoded. */
async function runContextAlong(c: Context<AppEnv>): Promise<ReadAlong | undefined> {
  const params = byId.safeParse(c.req.param())
  const body = predictionSchema.safeParse((await receive(c, { multipart }).catch(() => undefined))?.body)
  if (!params.success || !body.success) return undefined
  const { services } = c.var
  const query = runContextQuery(services, params.data.id, { body: body.data, chatType: 'INTERNAL' })
  return runContextRead(services.db, query)
}

/** Chat widgets show these two refusals as they come, so they are plain text. */
function plainRefusal(thrown: unknown, streaming: boolean): Response | undefined {
  if (!(thrown instanceof HeddleError)) return undefined
  if (thrown.code === 'rate_limited') {
    const headers = { 'Retry-After': String(thrown.details.retryAfterSeconds) }
    return new Response(thrown.message, { status: 429, headers })
  }
  return thrown.code === 'forbidden' && streaming ? new Response(thrown.message, { status: 403 }) : undefined
}
