/** Structured model calls, shared by the LLM, Agent and Condition Agent nodes. */

import type { ChatTurn, StepOutput, UsageMetadata, UsedTool } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import type { ModelMessage } from '../models/messages.ts'
import type { OpenModel } from '../models/types.ts'
import type { StepContext } from '../nodes/types.ts'
import { type CallContext, callModel } from './model-call.ts'
import { type JsonSchema, readStructured } from './structured-output.ts'

interface StructuredResult {
  value: JsonSchema
  usage: UsageMetadata
}

interface Question {
  open: OpenModel
  messages: ModelMessage[]
  schema: JsonSchema
}

interface Reader<T> {
  /** Returns the value in the model's text, or why it can't be read. */
  read(text: string): { value: T } | { problem: string }
  /** Prefix of the error when the second answer can't be read either. */
  failure: string
}

interface ReadAnswer<T> {
  value: T
  /** The model's raw text. */
  said: string
  usage: UsageMetadata
}

/** Asks for JSON. An unusable answer is sent back once with the problem and the schema. Throws when the second one is unusable too. */
export async function callWithMetadata<T>(
  question: Question,
  reader: Reader<T>,
  context: CallContext,
): Promise<ReadAnswer<T>> {
  const { open, messages, schema } = question
  const first = await callModel({ open, messages, schema, speak: false }, context)
  const read = reader.read(first.text)
  if ('value' in read) return { value: read.value, said: first.text, usage: first.usage }
  const correction = `Your answer is invalid: ${read.problem}. Reply only with one JSON object that matches this JSON Schema:\n${JSON.stringify(schema)}`
  const again = [...messages, ...first.messages, { role: 'user' as const, content: correction }]
  const second = await callModel({ open, messages: again, schema, speak: false }, context)
  const reread = reader.read(second.text)
  if ('problem' in reread) throw new Error(`${reader.failure}: ${reread.problem}`)
  return { value: reread.value, said: second.text, usage: addUsage(first.usage, second.usage) }
}

/** Asks for an object that matches the schema of JSON structured output. */
export function callStructured(question: Question, context: StepContext): Promise<StructuredResult> {
  const read = (text: string) => readStructured(text, question.schema)
  return callWithMetadata(
    question,
    { read, failure: "The model's response does not match JSON structured output" },
    context,
  )
}

interface FinalAnswer {
  text: string
  usedTools?: UsedTool[]
}

/** Returns the turns to add to the run's history: the question, unless it is there already, and the answer in the configured role. */
export function answerTurns(
  asked: ChatTurn[],
  { text, usedTools = [] }: FinalAnswer,
  context: StepContext,
): ChatTurn[] {
  const role = context.inputs[`${prefixOf(context)}ReturnResponseAs`] === 'assistantMessage' ? 'assistant' : 'user'
  const name = context.node.label.toLowerCase().trim().replace(/\s/g, '_')
  const more = usedTools.length > 0 ? { additional_kwargs: { usedTools } } : {}
  return [...asked, { role, content: text, name, ...more }]
}

/** `llm` of `llmAgentflow`. */
function prefixOf({ node }: Pick<StepContext, 'node'>): string {
  return node.name.replace(/Agentflow$/, '')
}

/** Returns the model's name and finish reason, under OpenAI's field names. */
export function responseMetadata({ modelName }: Pick<OpenModel, 'modelName'>, finishReason?: string) {
  return { model_name: modelName, ...(finishReason && { finish_reason: finishReason }) }
}

export function timeMetadata(start: Date, end: Date): StepOutput['timeMetadata'] {
  return { start: start.getTime(), end: end.getTime(), delta: end.getTime() - start.getTime() }
}
