/** Flows as models for OpenAI's clients. */
import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { toCallerTools } from '#contract/openai/caller-tools.ts'
import {
  type ChatCompletionRequest,
  chatCompletionRequestSchema,
  chatCompletionSchema,
  modelListSchema,
  modelSchema,
} from '#contract/openai/chat-completions.ts'
import { toConversation } from '#contract/openai/conversation.ts'
import { type Prediction, predictionSchema } from '#contract/predictions/predictions.ts'
import { MAX_UPLOAD_BODY_BYTES } from '#contract/predictions/uploads.ts'
import { takesCallerTools } from '#contract/runs/caller-tools.ts'
import { auditExempt } from '../../http/audit.ts'
import { type Route, route } from '../../http/route.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import { readKey, usableKey } from '../chatflows/index.ts'
import { authorizeCaller, keyHashOf, type LoadedCall, loadRunContext, prepareRun } from '../predictions/index.ts'
import { errorForm } from './error-form.ts'
import { listModels, modelNotFound, readFlowId, readModel } from './models.ts'
import { respondWithCompletion } from './respond.ts'

const byKey = { access: 'public', embeddable: true, isOfOpenAi: true, errorForm } as const

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/chat/completions',
    summary: 'Run a flow with an OpenAI client',
    audit: auditExempt.run,
    description:
      'Send an API key as `Authorization: Bearer <key>`. The last message is the question, and the earlier ones are its history. Also at `/v1/chat/completions`.',
    answer: [
      { schema: chatCompletionSchema, description: 'The run has ended' },
      { type: 'text/event-stream', description: 'With `stream`: `chat.completion.chunk` objects' },
    ],
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limited', 'run_failed'],
    ...byKey,
    body: chatCompletionRequestSchema,
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    // The body names the flow, so nobody without a key may send so much.
    async beforeLargeBody(context) {
      await readKey(context)
    },
    async handle({ body, services, context }) {
      const { turns, callerTools, body: asked } = toPrediction(body)
      const flowId = await readFlowId(context, body.model)
      const load = loadRunContext(
        services,
        { flowId, body: asked, turns, callerTools, chatType: 'EXTERNAL' },
        keyHashOf(context),
      )
      const loaded = await load.catch(async (error: unknown) => {
        if (!(error instanceof HeddleError) || error.code !== 'not_found') throw error
        await readKey(context)
        throw modelNotFound(body.model)
      })
      const key = usableKey(context, loaded.runContext.key)
      if (key.workspaceId !== loaded.runContext.flow.workspaceId) throw modelNotFound(body.model)
      const call = turns.length > 0 ? withoutMemory(loaded) : loaded
      await authorizeCaller(context, call)
      if (callerTools) assertTakesTools(call.runContext)
      const start = await prepareRun(context, call)
      const { model, stream, stream_options: streamOptions } = body
      const includeUsage = streamOptions?.include_usage === true
      return respondWithCompletion(context, start, { model, streaming: stream === true, includeUsage })
    },
  }),

  route({
    method: 'GET',
    path: '/models',
    summary: 'List the flows that an API key may run, as models',
    answer: modelListSchema,
    errors: ['unauthorized'],
    ...byKey,
    async handle({ context }) {
      return { object: 'list' as const, data: await listModels(context, await readKey(context)) }
    },
  }),

  route({
    method: 'GET',
    path: '/models/:id',
    summary: 'Get a flow as a model, by id or name',
    answer: modelSchema,
    errors: ['unauthorized'],
    ...byKey,
    params: z.object({ id: z.string().max(300) }),
    async handle({ params, context }) {
      return readModel(context, await readKey(context), params.id)
    },
  }),
]

/** Without a session, a call is a conversation of its own. */
function toPrediction({ messages, user, metadata, stream, ...tools }: ChatCompletionRequest) {
  const { question, history, exchange, uploads } = toConversation(messages)
  const sessionId = (metadata?.session_id || user) ?? undefined
  const body: Prediction = predictionSchema.parse({
    question,
    streaming: stream === true,
    ...(uploads.length > 0 && { uploads }),
    ...(sessionId && { overrideConfig: { sessionId: sessionId.slice(0, 200) } }),
  })
  return { body, turns: history, callerTools: toCallerTools(tools, exchange) }
}

/** The messages sent take the place of what the session remembers, which they repeat. */
const withoutMemory = (call: LoadedCall): LoadedCall => ({
  ...call,
  runContext: { ...call.runContext, pastHistory: [] },
})

/** Throws `bad_request` that says what would have to change. */
function assertTakesTools({ flow, document }: RunContext): void {
  const refuse = (problem: string) => new HeddleError('bad_request', `tools: ${problem}`, { field: 'tools' })
  if (flow.apiConfig.callerTools === undefined) {
    throw refuse('This flow takes no tools of its callers. Its owner can change that under Share')
  }
  if (!takesCallerTools(document)) {
    throw refuse(
      'No node of this flow can use them: it must end with an Agent or LLM node without structured output, or be a chat flow that ends with an agent',
    )
  }
}
