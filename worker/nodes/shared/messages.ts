/** What a model is told, in which order (compat 3.2). Pure; summaries are asked for by `memory.ts`. */
import type { ModelMessage } from 'ai'
import type { ChatTurn } from '#contract/events.ts'
import { saidBy } from '../../models/speaker.ts'
import { itemsOf, textOf } from './inputs.ts'

export interface MessageParts {
  /** Of the prediction call: put before everything, for the run's first model only. */
  history: readonly ChatTurn[]
  /** The node's own messages. */
  configured: ChatTurn[]
  /** The conversation as the memory settings leave it. */
  memory: readonly ChatTurn[]
  /** The node's Input Message. */
  userMessage: string
}

/** System messages come first, then developer messages, as most providers demand; then the conversation in order. Empty ones are left out. */
export function assemble({ history, configured, memory, userMessage }: MessageParts): ChatTurn[] {
  const last: ChatTurn[] = [{ role: 'user', content: userMessage }]
  const turns = [...history, ...configured, ...memory, ...last].filter(({ content }) => content.trim() !== '')
  const {
    system = [],
    developer = [],
    others = [],
  } = Object.groupBy(turns, ({ role }) => (role === 'system' || role === 'developer' ? role : 'others'))
  return [...system, ...developer, ...others]
}

export function configuredMessages(value: unknown): ChatTurn[] {
  return itemsOf(value).flatMap(({ role, content }) => (isRole(role) ? [{ role, content: textOf(content) }] : []))
}

/** For the AI SDK, which writes developer messages as the provider wants its system messages. */
export function modelMessages(turns: readonly ChatTurn[]): ModelMessage[] {
  return turns.map(({ role, content, name }) => saidBy(name, { role: role === 'developer' ? 'system' : role, content }))
}

function isRole(role: unknown): role is ChatTurn['role'] {
  return role === 'system' || role === 'developer' || role === 'user' || role === 'assistant'
}
