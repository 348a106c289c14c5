/** Runs a prepared run and answers with a chat completion: whole, or in chunks. A caller who leaves stops the run. */
import type { Context } from 'hono'
import { errorReport, HeddleError } from '#contract/errors.ts'
import type { ChatCompletion, FinishReason } from '#contract/openai/chat-completions.ts'
import { stepUsages, sumUsage } from '#contract/runs/usage.ts'
import { STATUS } from '../../http/errors.ts'
import type { AppEnv } from '../../http/route.ts'
import { frameStream } from '../../runs/answers/sse.ts'
import { hasFailed, type RunEnd } from '../../runs/records/run-end.ts'
import { runFlow } from '../../runs/run-flow.ts'
import type { RunStart } from '../../runs/run-start.ts'
import { openAiError } from './error-form.ts'

interface CompletionOptions {
  /** As the caller named the flow. */
  model: string
  streaming: boolean
  includeUsage: boolean
}

/** Short, so that a run whose caller has left soon stops. */
const HEARTBEAT_MS = 3000

/** Throws `run_failed` when there is no answer and nothing was streamed. */
export async function respondWithCompletion(
  c: Context<AppEnv>,
  start: RunStart,
  options: CompletionOptions,
): Promise<Response> {
  // Clients repeat calls that fail with 500, but a run that failed may have had effects.
  c.header('x-should-retry', 'false')
  return options.streaming ? streamCompletion(c, start, options) : wholeCompletion(c, start, options)
}

async function wholeCompletion(c: Context<AppEnv>, start: RunStart, { model }: CompletionOptions): Promise<Response> {
  const { signal } = c.req.raw
  const running = runFlow(c.get('services'), start, { emit() {}, signal })
  c.executionCtx.waitUntil(running.catch(report))
  const end = await running
  if (hasFailed(end)) throw failure(end)
  const completion: ChatCompletion = {
    ...headOf(start, model),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: toMessage(end),
        logprobs: null,
        finish_reason: finishReasonOf(end),
      },
    ],
    usage: usageOf(end),
  }
  return c.json(completion)
}

function streamCompletion(c: Context<AppEnv>, start: RunStart, options: CompletionOptions): Response {
  const services = c.get('services')
  const stop = new AbortController()
  const head = { ...headOf(start, options.model), object: 'chat.completion.chunk' }
  const rest = options.includeUsage ? { usage: null } : {}
  const chunkOf = (delta: object, finish_reason: FinishReason | null = null) =>
    frameOf({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...rest })
  return frameStream(
    async (send) => {
      let said = ''
      const say = (content: string) => {
        said += content
        send(chunkOf({ content }), true)
      }
      send(chunkOf({ role: 'assistant', content: '', refusal: null }), false)
      const end = await runFlow(services, start, {
        emit(event) {
          if (event.event === 'token' && event.data !== '') say(event.data)
        },
        streaming: true,
        signal: AbortSignal.any([stop.signal, c.req.raw.signal]),
      })
      if (hasFailed(end)) return send(frameOf(openAiError({ ...errorOf(failure(end)) })), false)
      const { content, tool_calls: calls } = toMessage(end)
      const unsaid = content?.startsWith(said) ? content.slice(said.length) : ''
      if (unsaid !== '') say(unsaid)
      if (calls) send(chunkOf({ tool_calls: calls.map((call, index) => ({ index, ...call })) }), false)
      send(chunkOf({}, finishReasonOf(end)), false)
      if (options.includeUsage) send(frameOf({ ...head, choices: [], usage: usageOf(end) }), false)
      send('data: [DONE]\n\n', false)
    },
    {
      keepAlive: (done) => c.executionCtx.waitUntil(done.catch(report)),
      onCancel: () => stop.abort(),
      heartbeatMs: HEARTBEAT_MS,
    },
  )
}

const report = (error: unknown) => console.error('after a completion:', errorReport(error))

const frameOf = (value: object) => `data: ${JSON.stringify(value)}\n\n`

const headOf = ({ call, startedAt }: RunStart, model: string) => ({
  id: `chatcmpl-${call.apiMessageId}`,
  created: Math.floor(startedAt.getTime() / 1000),
  model,
})

const failure = ({ error }: RunEnd) => new HeddleError('run_failed', error ?? 'The run failed', { code: 'run_failed' })

const errorOf = ({ code, message, details }: HeddleError) => ({ ...details, status: STATUS[code], message })

/** Returns the calls of the caller's tools: they end the run, so the last step holds them. */
function toMessage({ text, trace }: RunEnd): ChatCompletion['choices'][number]['message'] {
  const output = trace.findLast(({ data }) => data.output?.callerToolCalls)?.data.output
  if (!output) return { role: 'assistant', content: text, refusal: null }
  const calls = (output.callerToolCalls as { id: string; name: string; args: unknown }[]).map(({ id, name, args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
  }))
  return { role: 'assistant', content: output.content || null, refusal: null, tool_calls: calls }
}

/** `length` when the last model that spoke was cut off. */
function finishReasonOf({ trace }: RunEnd): FinishReason {
  if (trace.some(({ data }) => data.output?.callerToolCalls)) return 'tool_calls'
  const reasons = trace.map(({ data }) => data.output?.responseMetadata as { finish_reason?: unknown } | undefined)
  return reasons.findLast((metadata) => metadata)?.finish_reason === 'length' ? 'length' : 'stop'
}

/** Total usage of all models in the run. */
function usageOf({ trace }: RunEnd) {
  const usage = sumUsage(trace.flatMap(stepUsages))
  return {
    prompt_tokens: usage?.input_tokens ?? 0,
    completion_tokens: usage?.output_tokens ?? 0,
    total_tokens: usage?.total_tokens ?? 0,
  }
}
