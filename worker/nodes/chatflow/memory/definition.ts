/** What definitions of memories have in common. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'

type DefinitionFields = Omit<ComponentDefinition, 'category' | 'baseClasses' | 'inputs'> & { inputs?: InputParam[] }

export function memoryNode({ inputs = [], ...own }: DefinitionFields): ComponentDefinition {
  return {
    ...own,
    category: 'Memory',
    baseClasses: [own.type, 'BaseChatMemory', 'BaseMemory'],
    inputs: [...inputs, sessionIdParam, memoryKeyParam],
  }
}

const DEFAULT_KEY = 'chat_history'

const sessionIdParam = additionalParam('Session ID', 'sessionId', {
  description: 'Session for test chats and API calls without a session. Leave empty to start a new session per chat',
})

const memoryKeyParam = additionalParam('Memory key', 'memoryKey', {
  description: 'Name of the variable that holds the conversation in prompts',
  default: DEFAULT_KEY,
})

export const memoryKeyOf = (inputs: Record<string, unknown>): string => textOf(inputs.memoryKey).trim() || DEFAULT_KEY
