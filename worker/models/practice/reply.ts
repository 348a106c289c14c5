/** Generates the practice model's reply. Depends on the prompt only, so it is deterministic. */
import { FLOW_PLAN } from '#contract/generator/generator.ts'
import { chooseTool, forceTool, type ToolUse } from './choose-tool.ts'
import { fitSchema, type JsonSchema } from './fit-schema.ts'
import { drawFlow } from './flow-plan.ts'
import type { CallOptions, FilePart, FunctionTool } from './types.ts'

export type Reply = { text: string } | ToolUse

const INTRODUCTION = 'I’m Heddle’s practice model: I need no key and only show how a flow runs.'
const QUOTE_LENGTH = 300

/** @param nodeLabel the node that uses the model, where there is one */
export function replyTo(options: CallOptions, nodeLabel?: string): Reply {
  const { responseFormat, prompt } = options
  const question = lastQuestion(prompt)
  const use = toolUse(options, question)
  if (use) return use
  if (responseFormat?.type === 'json') {
    const schema = (responseFormat.schema ?? { type: 'object' }) as JsonSchema
    return { text: JSON.stringify(schema.title === FLOW_PLAN ? drawFlow(question) : fitSchema(schema, question)) }
  }
  return { text: writeReply(options, question, nodeLabel) }
}

function toolUse({ tools = [], toolChoice, prompt }: CallOptions, question: string): ToolUse | undefined {
  const usable = tools.filter((tool): tool is FunctionTool => tool.type === 'function')
  if (toolChoice?.type === 'none') return undefined
  if (toolChoice?.type === 'tool') {
    const named = usable.find(({ name }) => name === toolChoice.toolName)
    return named && forceTool(named, question)
  }
  if (toolResults(prompt).length > 0) return undefined
  const fitting = chooseTool(usable, question)
  const first = usable[0]
  return fitting ?? (toolChoice?.type === 'required' && first ? forceTool(first, question) : undefined)
}

function writeReply({ prompt, tools = [] }: CallOptions, question: string, nodeLabel?: string): string {
  const next = `For real answers, choose another model${nodeLabel ? ` in ${nodeLabel}` : ''}.`
  const results = toolResults(prompt)
  if (results.length > 0)
    return `${results.join('\n')}\n\n${INTRODUCTION} I can call a tool, but not put its result into words. ${next}`

  const heard = question ? `I can’t answer “${quote(question)}”.` : 'You haven’t sent a question yet.'

  const instructions = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join(' ')
  const turns = prompt.filter(({ role }) => role === 'user').length
  const files = filesOf(prompt)
  return [
    INTRODUCTION,
    heard,
    files.length > 0 && `I got ${files.join(', ')}.`,
    instructions && `My instructions are: “${quote(instructions)}”`,
    turns > 1 && `You’ve sent ${turns} messages in this conversation.`,
    tools.length > 0 && `Your message doesn’t call for ${tools.map(({ name }) => name).join(' or ')}.`,
    next,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Returns the text of the last user message. */
function lastQuestion(prompt: CallOptions['prompt']): string {
  const last = prompt.findLast(({ role }) => role === 'user')
  return last?.role === 'user' ? contentText(last.content) : ''
}

/** Describes the files in the conversation: `photo.png (image/png, 68 bytes)`. */
function filesOf(prompt: CallOptions['prompt']): string[] {
  return prompt.flatMap((message) =>
    message.role === 'user' ? message.content.flatMap((part) => (part.type === 'file' ? [describe(part)] : [])) : [],
  )
}

function describe({ filename = 'a file', mediaType, data }: FilePart): string {
  const size = data.type === 'data' && typeof data.data !== 'string' ? `, ${data.data.length} bytes` : ''
  return `${filename} (${mediaType}${size})`
}

/** Returns the tool results since the last question. */
function toolResults(prompt: CallOptions['prompt']): string[] {
  const since = prompt.findLastIndex(({ role }) => role === 'user') + 1
  return prompt
    .slice(since)
    .flatMap((message) =>
      message.role === 'tool'
        ? message.content.flatMap((part) =>
            part.type === 'tool-result' ? [`The tool ${part.toolName} answered: ${outputText(part.output)}`] : [],
          )
        : [],
    )
}

function outputText(output: { type: string; value?: unknown }): string {
  return quote(typeof output.value === 'string' ? output.value : JSON.stringify(output.value ?? output.type))
}

function contentText(content: { type: string }[]): string {
  return content.flatMap((part) => ('text' in part && typeof part.text === 'string' ? [part.text] : [])).join('\n')
}

function quote(text: string): string {
  return text.length > QUOTE_LENGTH ? `${text.slice(0, QUOTE_LENGTH)}…` : text
}
