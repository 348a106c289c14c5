/** Messages as runs keep them: plain data. `buildPrompt` converts them to the format of the provider SDKs. */
import type { LanguageModelV4FilePart, LanguageModelV4Message } from '@ai-sdk/provider'

type Message<Role extends string> = Extract<LanguageModelV4Message, { role: Role }>
type Part<Role extends string> = Exclude<Message<Role>['content'][number], string>
type WithParts<Role extends string, Parts> = Omit<Message<Role>, 'content'> & { content: Parts }

export interface FilePart extends Omit<LanguageModelV4FilePart, 'data'> {
  /** Base64, or bytes, which are never kept. */
  data: string | Uint8Array
}

export type TextPart = Extract<Part<'user'>, { type: 'text' }>
export type AssistantPart = Exclude<Part<'assistant'>, { type: 'file' }> | FilePart
export type AssistantMessage = WithParts<'assistant', string | AssistantPart[]>
export type ToolMessage = WithParts<'tool', Extract<Part<'tool'>, { type: 'tool-result' }>[]>
export type ModelMessage =
  | Message<'system'>
  | WithParts<'user', string | (TextPart | FilePart)[]>
  | AssistantMessage
  | ToolMessage

export function buildPrompt(messages: readonly ModelMessage[]): LanguageModelV4Message[] {
  const prompt: LanguageModelV4Message[] = []
  for (const message of messages) {
    const last = prompt.at(-1)
    // Gemini requires the results of parallel calls in one message.
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(...message.content)
    else prompt.push(convertMessage(message))
  }
  return prompt
}

function convertMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return message
    case 'user':
      return { ...message, content: convertParts(message.content) }
    case 'assistant':
      return { ...message, content: convertParts(message.content) }
    case 'tool':
      return { ...message, content: [...message.content] }
  }
}

/** Omits empty texts, which providers reject, unless the provider itself needs their metadata. */
function convertParts<Each extends AssistantPart>(content: string | Each[]) {
  if (typeof content === 'string') return [{ type: 'text' as const, text: content }]
  return content
    .filter((part) => part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined)
    .map((part) => (part.type === 'file' ? convertFile(part) : (part as Exclude<Each, FilePart>)))
}

function convertFile({ data, ...file }: FilePart): LanguageModelV4FilePart {
  return { ...file, data: { type: 'data', data } }
}
