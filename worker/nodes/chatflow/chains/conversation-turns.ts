/** The messages of a conversation: a system message or a prompt, what was said before, and the question. */
import type { ChatTurn } from '#contract/runs/events.ts'
import { questionTurns } from '../../../llm/memory.ts'
import { conversation } from '../../../text/conversation.ts'
import type { PromptComponent } from '../component-types.ts'
import { completeValues } from '../prompts/values.ts'

interface Conversation {
  /** Not used with a prompt. */
  system: string
  prompt?: PromptComponent | undefined
  /** The name in prompts that takes the conversation as text. */
  memoryKey?: string | undefined
  /** Oldest first, without the question. */
  said: readonly ChatTurn[]
  question: string
}

export function conversationTurns({ system, prompt, memoryKey = '', said, question }: Conversation): ChatTurn[] {
  const asked = questionTurns({ text: question })
  if (!prompt) return [...(system ? [{ role: 'system' as const, content: system }] : []), ...said, ...asked]
  const isNamed = prompt.variables.includes(memoryKey)
  const turns = prompt.messages(completeValues(prompt, isNamed ? { [memoryKey]: conversation(said) } : {}, question))
  const at = prompt.historyAt ?? turns.length
  const asks = turns.some(({ role }) => role === 'user')
  return [...turns.slice(0, at), ...(isNamed ? [] : said), ...turns.slice(at), ...(asks ? [] : asked)]
}
