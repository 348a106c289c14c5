/** Tool calls as text, for models that get no tools. */

import { textOf } from '../inputs/node-inputs.ts'
import type { ModelMessage } from '../models/messages.ts'

/** Rewrites tool calls as text, because some providers reject tool calls when no tools are declared. */
export function toolCallsAsText(messages: ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (typeof message.content === 'string') return [message]
    if (message.role !== 'assistant' && message.role !== 'tool') return [message]
    const words = message.content.flatMap((part) => {
      if (part.type === 'text') return [part.text]
      if (part.type === 'tool-call') return [`(called ${part.toolName} with ${JSON.stringify(part.input)})`]
      if (part.type === 'tool-result')
        return [`${part.toolName}: ${'value' in part.output ? textOf(part.output.value) : ''}`]
      return []
    })
    if (words.length === 0) return []
    return [{ role: message.role === 'tool' ? 'user' : 'assistant', content: words.join('\n') }]
  })
}
