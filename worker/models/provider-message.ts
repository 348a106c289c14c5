/** Who spoke, for the models that tell speakers apart: OpenAI's, and what speaks like them. Others do not look at it. */
import type { ModelMessage } from 'ai'

/** What OpenAI does not take in a name. */
const REFUSED = /[\s<|\\/>]/g
const MAX_LENGTH = 64

/** A message with the name of its speaker; without a name the message is as it was. */
export function saidBy(name: string | undefined, message: ModelMessage): ModelMessage {
  const cleaned = name?.replace(REFUSED, '_').slice(0, MAX_LENGTH)
  if (!cleaned || message.role === 'tool') return message
  const providerOptions = { openai: { name: cleaned }, openaiCompatible: { name: cleaned } }
  // Of a user message that is one text alone, OpenAI compatible servers get the options of the text.
  const content =
    message.role === 'user' && typeof message.content === 'string'
      ? [{ type: 'text' as const, text: message.content, providerOptions }]
      : message.content
  return { ...message, content, providerOptions } as ModelMessage
}
