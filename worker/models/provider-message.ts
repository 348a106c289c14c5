/** Speaker names in messages, which OpenAI-compatible providers support and others ignore. */
import type { ModelMessage } from './messages.ts'

/** Characters that OpenAI rejects in a name. */
const INVALID_CHARACTERS = /[\s<|\\/>]/g
const MAX_LENGTH = 64

/** Adds the speaker's name to a message. Returns the message unchanged if there is no name. */
export function withSpeaker(name: string | undefined, message: ModelMessage): ModelMessage {
  const cleaned = name?.replace(INVALID_CHARACTERS, '_').slice(0, MAX_LENGTH)
  if (!cleaned || message.role === 'tool') return message
  const providerOptions = { openai: { name: cleaned }, openaiCompatible: { name: cleaned } }
  // For a user message with a single text, the OpenAI-compatible provider reads the options of that text.
  const content =
    message.role === 'user' && typeof message.content === 'string'
      ? [{ type: 'text' as const, text: message.content, providerOptions }]
      : message.content
  return { ...message, content, providerOptions } as ModelMessage
}
