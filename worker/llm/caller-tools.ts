/** Tools of the run's caller in the conversation with a model. */
import type { CallerTools, ToolExchange } from '#contract/runs/caller-tools.ts'
import type { ModelMessage } from '../models/messages.ts'
import type { CallOptions, ModelTool } from '../models/types.ts'
import type { StepContext } from '../nodes/types.ts'
import { toolCallsAsText } from './text-tool-calls.ts'
import { modelTools } from './tool-calls.ts'

export interface OfferedTools {
  tools: ModelTool[]
  choice: NonNullable<CallOptions['toolChoice']>
  /** What was called and answered since the question. */
  messages: ModelMessage[]
}

/** Returns what a step offers its model; nothing unless it ends its branch with free text. */
export function toCallerTools(
  { input, isLast }: Pick<StepContext, 'input' | 'isLast'>,
  isFreeText: boolean,
): OfferedTools {
  const { callerTools } = input
  if (!callerTools || !isLast || !isFreeText) return { tools: [], choice: { type: 'auto' }, messages: [] }
  const { tools, choice, exchange } = callerTools
  const offered = choice === 'none' ? [] : modelTools(tools)
  const messages = exchange.map(toMessage)
  return {
    tools: offered,
    choice: choiceOf(choice),
    messages: offered.length > 0 ? messages : toolCallsAsText(messages),
  }
}

function choiceOf(choice: CallerTools['choice']): OfferedTools['choice'] {
  if (typeof choice === 'object') return { type: 'tool', toolName: choice.name }
  return { type: choice === 'none' ? 'auto' : choice }
}

function toMessage(message: ToolExchange): ModelMessage {
  if (message.role === 'tool') {
    const { id, name, content } = message
    const output = { type: 'text' as const, value: content }
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }] }
  }
  const calls = message.calls.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
  }))
  return { role: 'assistant', content: [{ type: 'text', text: message.content }, ...calls] }
}
