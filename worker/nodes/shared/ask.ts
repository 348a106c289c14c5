/** What the LLM and Agent nodes do alike with an answer. */
import type { ModelMessage } from 'ai'
import type { ChatTurn, StepOutput, UsageMetadata, UsedTool } from '#contract/events.ts'
import type { OpenModel } from '../../models/types.ts'
import type { StepContext } from '../types.ts'
import { callModel } from './model-call.ts'
import { type JsonSchema, readStructured } from './structured.ts'
import { addUsage } from './usage.ts'

export interface StructuredAnswer {
  value: JsonSchema
  usage: UsageMetadata
}

interface Question {
  open: OpenModel
  messages: ModelMessage[]
  schema: JsonSchema
}

/** Asks for an object that fits the schema. One that does not fit is sent back once, with what is wrong and the schema. */
export async function askStructured(question: Question, context: StepContext): Promise<StructuredAnswer> {
  const { open, messages, schema } = question
  const first = await callModel({ open, messages, schema, speak: false }, context)
  const read = readStructured(first.text, schema)
  if ('value' in read) return { value: read.value, usage: first.usage }
  const correction = `Your answer cannot be used: ${read.problem}. Answer with one JSON object that fits this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`
  const again = [...messages, ...first.messages, { role: 'user' as const, content: correction }]
  const second = await callModel({ open, messages: again, schema, speak: false }, context)
  const reread = readStructured(second.text, schema)
  if ('problem' in reread) throw new Error(`The model's answer does not fit JSON Structured Output: ${reread.problem}`)
  return { value: reread.value, usage: addUsage(first.usage, second.usage) }
}

export interface FinalAnswer {
  text: string
  usedTools?: UsedTool[]
}

/** The run's history after an answer: the question when it is not there yet, then the answer in the role that was chosen. */
export function answerTurns(
  asked: ChatTurn[],
  { text, usedTools = [] }: FinalAnswer,
  context: StepContext,
): ChatTurn[] {
  const role = context.inputs[`${prefixOf(context)}ReturnResponseAs`] === 'assistantMessage' ? 'assistant' : 'user'
  const name = context.node.label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')
  const more = usedTools.length > 0 ? { additional_kwargs: { usedTools } } : {}
  return [...asked, { role, content: text, name, ...more }]
}

/** `llm` of `llmAgentflow`. */
function prefixOf({ node }: Pick<StepContext, 'node'>): string {
  return node.name.replace(/Agentflow$/, '')
}

export function timeMetadata(start: Date, end: Date): StepOutput['timeMetadata'] {
  return { start: start.getTime(), end: end.getTime(), delta: end.getTime() - start.getTime() }
}
