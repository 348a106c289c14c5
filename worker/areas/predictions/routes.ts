import type { Context } from 'hono'
import * as z from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { factsOf } from '#contract/flow/kinds/facts.ts'
import {
  predictionAnswerSchema,
  predictionFields,
  predictionOf,
  predictionSchema,
  sharedAnswerSchema,
} from '#contract/predictions/predictions.ts'
import { MAX_UPLOAD_BODY_BYTES, MAX_UPLOADS } from '#contract/predictions/uploads.ts'
import { OUTSIDER } from '#contract/runs/approvers.ts'
import { replaySchema } from '#contract/runs/executions.ts'
import { auditExempt } from '../../http/audit.ts'
import { isSmallBody } from '../../http/body-limit.ts'
import { receive } from '../../http/decode.ts'
import { type Answer, type AppEnv, memberOf, type Prefetch, type Route, route } from '../../http/route.ts'
import { type ResponseOptions, respondWithRun } from '../../runs/answers/run-response.ts'
import { runContextQuery } from '../../runs/call-context.ts'
import { type RunContext, runContextRead } from '../../runs/context/run-context.ts'
import { executionNotFound } from '../../runs/errors.ts'
import { runStatements } from '../../runs/records/records-budget.ts'
import { replayRun } from '../../runs/replay.ts'
import { readSharedRunContext, resumeRun } from '../../runs/resume.ts'
import type { RunStart } from '../../runs/run-start.ts'
import type { Services } from '../../services.ts'
import {
  allowedTypes,
  assertAllowed,
  flowAccess,
  largeBodyFor,
  readCallableFlow,
  readFlowHead,
  takesUploads,
} from '../chatflows/index.ts'
import { isAnonymous } from './anonymous-session.ts'
import { authorizeAnonymous, authorizeMember, hasKeyToView, loadAuthorized } from './authorize.ts'
import { callerReader, followRun, memberReader } from './follow.ts'
import { type LoadedCall, loadRunContext, type PredictionCall } from './load-run-context.ts'
import { plainTextErrors, withPlainTextErrors } from './plain-text-errors.ts'
import { prepareRun } from './prepare-run.ts'
import { speakAnswer } from './speak-answer.ts'

/** The answer comes at once, or as a stream of events. */
const answer: readonly Answer[] = [
  { schema: predictionAnswerSchema, description: 'The run has ended, or waits for a person' },
  { type: 'text/event-stream', description: 'With `streaming`: the events of the run as they happen, each as JSON' },
]
const errors: readonly ErrorCode[] = ['unauthorized', 'conflict', 'run_failed']

const multipart = { ...predictionFields, files: { field: 'files', max: MAX_UPLOADS }, toBody: predictionOf }

const byId = z.object({ id: z.uuid('This must be the id of a flow') })
const byRun = byId.extend({ executionId: z.uuid('This must be the id of a run') })
const questionId = z.string().min(1).max(2000).describe('The id of the question that the run waits with')

const WAITS =
  'With `question`, waits up to a minute for the answer, and ends without the event `end` if there was none: ask again.'
/** Each may last a minute, and reads the run every two seconds. */
const FOLLOWS = { max: 30, windowSeconds: 60, isOfIsolate: true } as const

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/prediction/:id',
    summary: 'Run a flow',
    audit: auditExempt.run,
    description: 'If the flow requires an API key, send it as `Authorization: Bearer <key>`.',
    answer: [...answer, ...plainTextErrors],
    errors: [...errors, 'forbidden', 'rate_limited'],
    access: 'public',
    embeddable: true,
    params: byId,
    body: predictionSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    beforeLargeBody: largeBodyFor(takesUploads),
    multipart,
    async handle({ params, body, files, services, context }) {
      return withPlainTextErrors(body.streaming, async () => {
        const asked: PredictionCall = { flowId: params.id, body, files, chatType: 'EXTERNAL' }
        const call = await loadAuthorized(context, asked)
        const start = await prepareRun(context, call)
        return respondWithRun(context, start, responseOptions(services, call, start))
      })
    },
  }),

  route({
    method: 'GET',
    path: '/prediction/:id/:executionId',
    summary: 'Follow a run that waits for others',
    description: `For callers of the flow who have the conversation’s \`chatId\`. ${WAITS}`,
    answer: [{ type: 'text/event-stream', description: 'Tokens and steps, then the end of the run, each as JSON' }],
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limited'],
    access: 'public',
    embeddable: true,
    limit: FOLLOWS,
    params: byRun,
    query: z.object({ chatId: z.uuid('This must be the chatId of the answer'), question: questionId }),
    async handle({ params, query, context }) {
      const flow = await readCallableFlow(context, params.id)
      if (factsOf(flow.type).answersAs === 'chat') throw executionNotFound(params.executionId)
      const followed = { flowId: params.id, executionId: params.executionId, question: query.question }
      return followRun(context, callerReader(flow, query.chatId), followed)
    },
  }),

  route({
    method: 'POST',
    path: '/internal-prediction/:id',
    summary: 'Run the draft of a flow',
    audit: auditExempt.run,
    answer,
    errors,
    access: flowAccess('view'),
    params: byId,
    body: predictionSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    multipart,
    prefetch: prefetchRunContext,
    async handle({ params, body, files, actor, services, context, prefetched }) {
      const asked: PredictionCall = { flowId: params.id, body, files, chatType: 'INTERNAL' }
      const known = prefetched() as RunContext | undefined
      const call = known ? { ...asked, runContext: known } : await loadRunContext(services, asked)
      authorizeMember(memberOf(actor), services.config, call.runContext)
      const start = await prepareRun(context, call)
      return respondWithRun(context, start, responseOptions(services, call, start))
    },
  }),

  route({
    method: 'GET',
    path: '/internal-prediction/:id/:executionId',
    summary: 'Follow a run of the draft',
    description: `Streams the answer so far, then the rest. Ends immediately if the run has finished. ${WAITS}`,
    answer: [{ type: 'text/event-stream', description: 'Tokens, steps and tools of the run, each as JSON' }],
    access: flowAccess('view'),
    params: byRun,
    query: z.object({ question: questionId.optional() }),
    async handle({ params, query, actor, services, context }) {
      const { type } = await readFlowHead(services, memberOf(actor), params.id)
      assertAllowed(type, allowedTypes(actor, services.config, 'view'))
      const followed = { flowId: params.id, executionId: params.executionId, question: query.question }
      return followRun(context, memberReader(memberOf(actor)), followed)
    },
  }),

  route({
    method: 'POST',
    path: '/public-executions/:id/answer',
    summary: 'Answer a shared run that waits for a person',
    audit: auditExempt.run,
    answer,
    errors: ['forbidden', 'conflict', 'rate_limited', 'run_failed'],
    access: 'public',
    params: z.object({ id: z.string().max(100) }),
    body: sharedAnswerSchema,
    async handle({ params, body: { streaming, ...said }, services, context }) {
      const runContext = await readSharedRunContext(services, params.id)
      await authorizeAnonymous(context, runContext, said)
      const start = await resumeRun(services, runContext, { input: said, by: { kind: 'visitor' }, standing: OUTSIDER })
      return respondWithRun(context, start, { streaming, audience: 'visitor', closing: takingRecords(services, start) })
    },
  }),

  route({
    method: 'POST',
    path: '/executions/:id/replay',
    summary: 'Run again from a step',
    audit: auditExempt.run,
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

function responseOptions(services: Services, call: LoadedCall, start: RunStart): ResponseOptions {
  const { body, chatType, runContext, notice } = call
  const { flow, key } = runContext
  const isInternal = chatType === 'INTERNAL'
  const isMember = isInternal || hasKeyToView({ flow, key }, services.clock.now())
  const streaming = body.streaming && (isInternal || !flow.settings.postProcessing.enabled)
  return {
    streaming,
    audience: isMember ? 'member' : 'caller',
    announces: isInternal,
    ...(notice && { notice }),
    beforeEnd: (run) => speakAnswer(services, run),
    ...(isAnonymous(call, services.clock.now()) && { closing: takingRecords(services, start) }),
  }
}

/** Takes what the run of an anonymous caller has stored from the workspace's budget. */
function takingRecords(
  services: Services,
  { executionId, runContext: { flow } }: RunStart,
): ResponseOptions['closing'] {
  const since = services.clock.now()
  return ({ text: answer }) => runStatements(services, flow, { executionId, answer, since })
}

/**
 * Reads the run context along with the session. Returns undefined for a body that is large, which nobody reads before it is
 * known who calls, and for an invalid call, which decoding refuses later.
 */
async function prefetchRunContext(c: Context<AppEnv>): Promise<Prefetch | undefined> {
  if (!isSmallBody(c.req.raw)) return undefined
  const params = byId.safeParse(c.req.param())
  const body = predictionSchema.safeParse((await receive(c, { multipart }).catch(() => undefined))?.body)
  if (!params.success || !body.success) return undefined
  const { services } = c.var
  const query = runContextQuery(services, { flowId: params.data.id, body: body.data, chatType: 'INTERNAL' })
  return runContextRead(services.db, query)
}
