/** How chains answer: checks of the question, the call of the model, and what the step reports. */
import type { ChatTurn, UsageMetadata } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { questionTurns } from '../../../llm/memory.ts'
import { modelMessages } from '../../../llm/messages.ts'
import { callModel } from '../../../llm/model-call.ts'
import { responseMetadata, timeMetadata } from '../../../llm/structured-call.ts'
import type { ModelMessage } from '../../../models/messages.ts'
import type { StepContext, StepResult } from '../../types.ts'
import { type ModelComponent, type OutputParserComponent, openComponentsAt } from '../component-types.ts'

interface ChainQuestion {
  model: ModelComponent
  turns: readonly ChatTurn[]
  parser?: OutputParserComponent | undefined
}

interface ChainAnswer {
  text: string
  /** The parsed answer, where a parser is connected. */
  json?: unknown
  usage: UsageMetadata
  finishReason?: string
  reasoning?: { thinking: string; thinkingDuration: number }
}

/** Calls the model. It speaks in the chat when the step ends the flow and nothing parses the answer. */
export async function askModel(question: ChainQuestion, context: StepContext): Promise<ChainAnswer> {
  const { model, turns, parser } = question
  const messages = modelMessages(turns, model.media)
  if (parser) return askForFormat({ ...question, parser }, messages, context)
  const { text, usage, finishReason, reasoning, reasoningSeconds } = await callModel(
    { open: model.open, messages, speak: context.isLast },
    context,
  )
  return {
    text,
    usage,
    finishReason,
    ...(reasoning && { reasoning: { thinking: reasoning, thinkingDuration: reasoningSeconds } }),
  }
}

/** An answer that cannot be parsed goes back once with what is wrong, where the parser says so. */
async function askForFormat(
  { model, parser }: ChainQuestion & { parser: OutputParserComponent },
  messages: ModelMessage[],
  context: StepContext,
): Promise<ChainAnswer> {
  const told: ModelMessage[] = parser.instructions
    ? [{ role: 'system', content: parser.instructions }, ...messages]
    : messages
  const call = { open: model.open, schema: parser.schema, speak: false }
  const first = await callModel({ ...call, messages: told }, context)
  try {
    return { text: first.text, json: parser.parse(first.text), usage: first.usage }
  } catch (error) {
    if (!parser.retries) throw error
    const problem = error instanceof Error ? error.message : String(error)
    const again = { role: 'user' as const, content: `${problem}\nAnswer again, in the format that was asked for.` }
    const second = await callModel({ ...call, messages: [...told, ...first.messages, again] }, context)
    return { text: second.text, json: parser.parse(second.text), usage: addUsage(first.usage, second.usage) }
  }
}

/** Returns the refusal of the first moderation that has one. */
async function findRefusal(question: string, context: StepContext): Promise<string | undefined> {
  for (const { refusal } of await openComponentsAt(context, 'inputModeration', 'moderation')) {
    const refused = await refusal(question)
    if (refused !== undefined) return refused
  }
  return undefined
}

/** Answers with the refusal of a moderation, or else with what `answer` returns. */
export async function moderated(context: StepContext, answer: () => Promise<StepResult>): Promise<StepResult> {
  const refused = await findRefusal(context.input.text, context)
  if (refused === undefined) return answer()
  if (context.isLast) context.emit({ event: 'token', data: refused })
  return { input: { question: context.input.text }, output: { content: refused } }
}

/** Returns the turns with the files of the question at their last message of a person. */
export function withFilesOfQuestion(turns: readonly ChatTurn[], { input }: Pick<StepContext, 'input'>): ChatTurn[] {
  const { uploads = [] } = input
  const last = turns.findLastIndex(({ role }) => role === 'user')
  if (uploads.length === 0) return [...turns]
  const files = { additional_kwargs: { fileUploads: uploads } }
  if (last < 0) return [...turns, ...questionTurns({ text: '', uploads })]
  return turns.map((turn, index) => (index === last ? { ...turn, ...files } : turn))
}

/** Returns the step's result, and sends what goes with a last answer. */
export function chainResult(
  answer: ChainAnswer,
  { model, turns, started }: { model: ModelComponent; turns: readonly ChatTurn[]; started: Date },
  context: StepContext,
  more: Record<string, unknown> = {},
): StepResult {
  const { json, usage, finishReason, reasoning } = answer
  const content = contentOf(answer)
  if (context.isLast) {
    if (json !== undefined) context.emit({ event: 'token', data: content })
    context.emit({ event: 'usageMetadata', data: usage })
  }
  return {
    input: { messages: turns },
    output: {
      content,
      ...(json !== undefined && typeof json !== 'string' && { json }),
      ...more,
      timeMetadata: timeMetadata(started, context.clock.now()),
      usageMetadata: usage,
      responseMetadata: responseMetadata(model.open, finishReason),
      ...(reasoning && { reasonContent: reasoning }),
    },
  }
}

/** Returns an answer as text: an object as JSON for people. */
function contentOf({ text, json }: Pick<ChainAnswer, 'text' | 'json'>): string {
  if (json === undefined) return text
  return typeof json === 'string' ? json : `\`\`\`json\n${JSON.stringify(json, null, 2)}\n\`\`\``
}
