/** What a model is told, in which order (compat 3.2). Pure; summaries are asked for by `memory.ts`. */
import type { ModelMessage } from 'ai'
import type { ChatTurn } from '#contract/events.ts'
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

/** System and developer messages come first, as most providers demand; then the conversation in order. Empty ones are left out. */
export function assemble({ history, configured, memory, userMessage }: MessageParts): ChatTurn[] {
  const last: ChatTurn[] = [{ role: 'user', content: userMessage }]
  const turns = [...history, ...configured, ...memory, ...last].filter(({ content }) => content.trim() !== '')
  return [...turns.filter(isInstruction), ...turns.filter((turn) => !isInstruction(turn))]
}

export function configuredMessages(value: unknown): ChatTurn[] {
  return itemsOf(value).flatMap(({ role, content }) => (isRole(role) ? [{ role, content: textOf(content) }] : []))
}

/** For the AI SDK, which writes developer messages as the provider wants its system messages. */
export function modelMessages(turns: readonly ChatTurn[]): ModelMessage[] {
  return turns.map(({ role, content }) => ({ role: role === 'developer' ? 'system' : role, content }))
}

export function isInstruction({ role }: ChatTurn): boolean {
  return role === 'system' || role === 'developer'
}

function isRole(role: unknown): role is ChatTurn['role'] {
  return role === 'system' || role === 'developer' || role === 'user' || role === 'assistant'
}
