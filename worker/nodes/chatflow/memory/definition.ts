/** What definitions of memories have in common. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'

type Own = Omit<ComponentDefinition, 'category' | 'baseClasses' | 'inputs'> & { inputs?: InputParam[] }

export function memoryNode({ inputs = [], ...own }: Own): ComponentDefinition {
  return {
    ...own,
    category: 'Memory',
    baseClasses: [own.type, 'BaseChatMemory', 'BaseMemory'],
    inputs: [...inputs, sessionIdParam, memoryKeyParam],
  }
}

const DEFAULT_KEY = 'chat_history'

const sessionIdParam = additionalParam('Session ID', 'sessionId', {
  description:
    'The conversation of calls that name no session or chat, and of the builder. Empty: each chat is its own.',
})

const memoryKeyParam = additionalParam('Memory Key', 'memoryKey', {
  description: 'The name that holds the conversation in prompts',
  default: DEFAULT_KEY,
})

export const memoryKeyOf = (inputs: Record<string, unknown>): string => textOf(inputs.memoryKey).trim() || DEFAULT_KEY
