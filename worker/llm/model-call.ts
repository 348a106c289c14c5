/** One call of a chat model: streamed, with timeouts, one retry before the first token, and cancellation. */
import {
  type AssistantModelMessage,
  jsonSchema,
  type ModelMessage,
  Output,
  streamText,
  type TextStreamPart,
  type ToolSet,
} from 'ai'
import { errorMessage } from '#contract/errors.ts'
import type { UsageMetadata, UsedTool } from '#contract/runs/events.ts'
import type { OpenModel } from '../models/types.ts'
import type { StepContext } from '../nodes/types.ts'
import { withFiles } from './file-parts.ts'
import { providerError } from './provider-error.ts'
import { usageOf } from './usage.ts'

/** Local models may take minutes to load before their first token. */
const TIMEOUT = { firstChunkMs: 180_000, chunkMs: 120_000, totalMs: 900_000 }
const RETRIES = 1

export interface ModelCall {
  open: OpenModel
  messages: ModelMessage[]
  tools?: ToolSet
  /** JSON Schema that the answer must match. */
  schema?: Record<string, unknown>
  /** True to stream the answer to the chat. */
  speak: boolean
}

export interface ModelToolCall {
  id: string
  name: string
  input: unknown
}

export interface ModelAnswer {
  text: string
  reasoning: string
  reasoningSeconds: number
  toolCalls: ModelToolCall[]
  /** Tools that the provider ran on its servers, with their results. */
  providerTools: UsedTool[]
  /** Files that the model generated, as `data:` URLs. */
  files: string[]
  /** The answer as messages for the next call, without results of its tool calls. */
  messages: AssistantModelMessage[]
  usage: UsageMetadata
  finishReason: string
}

/** The services that a model call needs, usually from a step. */
export type CallContext = Pick<StepContext, 'signal' | 'clock' | 'emit' | 'charge'> &
  Partial<Pick<StepContext, 'files'>>

type ModelOutput = Omit<ModelAnswer, 'messages' | 'usage' | 'finishReason'>

/** Calls the model and charges the run for its usage. @throws Error with the provider's message */
export async function callModel(call: ModelCall, context: CallContext): Promise<ModelAnswer> {
  const answer = await ask(call, context)
  context.charge(answer.usage)
  context.signal.throwIfAborted()
  return answer
}

async function ask(call: ModelCall, context: CallContext): Promise<ModelAnswer> {
  const { open, tools, schema } = call
  try {
    const messages = await withFiles(call.messages, context.files)
    const result = streamText({
      timeout: TIMEOUT,
      maxRetries: RETRIES,
      ...open.settings,
      ...(schema && { output: Output.object({ schema: jsonSchema(schema) }) }),
      model: open.model,
      messages,
      tools,
      allowSystemInMessages: true,
      abortSignal: context.signal,
      onError: () => {},
    })
    const said = await listen(result.stream, call.speak && !schema ? context.emit : () => {}, context)
    return {
      ...said,
      messages: (await result.responseMessages).filter((message) => message.role === 'assistant'),
      usage: usageOf(await result.usage, open.price),
      finishReason: await result.finishReason,
    }
  } catch (error) {
    throw context.signal.aborted ? context.signal.reason : providerError(error)
  }
}

async function listen(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  emit: StepContext['emit'],
  { clock }: CallContext,
): Promise<ModelOutput> {
  const said: ModelOutput = {
    text: '',
    reasoning: '',
    reasoningSeconds: 0,
    toolCalls: [],
    providerTools: [],
    files: [],
  }
  let thinkingSince = 0
  const stopThinking = () => {
    if (thinkingSince === 0) return
    const duration = Math.round((clock.now().getTime() - thinkingSince) / 1000)
    said.reasoningSeconds += duration
    thinkingSince = 0
    emit({ event: 'thinking', data: '', duration })
  }
  for await (const part of stream) {
    if (part.type === 'reasoning-delta') {
      thinkingSince ||= clock.now().getTime()
      said.reasoning += part.text
      emit({ event: 'thinking', data: part.text })
    } else if (part.type === 'text-delta') {
      if (part.text === '') continue
      stopThinking()
      said.text += part.text
      emit({ event: 'token', data: part.text })
    } else if (part.type === 'tool-call') {
      stopThinking()
      if (!part.providerExecuted) said.toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input })
    } else if (part.type === 'tool-result' && part.providerExecuted) {
      said.providerTools.push({
        tool: part.toolName,
        toolInput: part.input,
        toolOutput: withoutImages(part.output, said),
      })
    } else if (part.type === 'tool-error' && part.providerExecuted) {
      const error = errorMessage(part.error)
      said.providerTools.push({ tool: part.toolName, toolInput: part.input, toolOutput: '', error })
    } else if (part.type === 'file') {
      said.files.push(`data:${part.file.mediaType};base64,${part.file.base64}`)
    } else if (part.type === 'error') throw part.error
    else if (part.type === 'abort') throw new Error(`The model did not respond in time (${part.reason ?? 'stopped'})`)
  }
  stopThinking()
  return said
}

/** Moves an image in a tool result to the files, so that it is not sent to every later model as text. */
function withoutImages(output: unknown, said: ModelOutput): unknown {
  const { result } = (output ?? {}) as { result?: unknown }
  if (typeof result !== 'string' || !/^(iVBOR|\/9j\/|UklGR)/.test(result)) return output
  const type = result.startsWith('iVBOR') ? 'png' : result.startsWith('UklGR') ? 'webp' : 'jpeg'
  said.files.push(`data:image/${type};base64,${result}`)
  return 'An image'
}
