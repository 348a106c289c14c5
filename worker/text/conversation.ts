import type { ChatTurn } from '#contract/runs/events.ts'

/** Formats the conversation as a transcript. */
export function conversation(turns: readonly ChatTurn[]): string {
  return turns.map(({ role, content }) => `${role === 'user' ? 'Human' : 'Assistant'}: ${content}`).join('\n')
}
