/** What definitions of chat-flow nodes have in common. */
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'

/** Returns an input for edges. @param type the base classes that it takes: `BaseChatModel`, `Tool | Toolkit` */
export function anchor(label: string, name: string, type: string, rest: Partial<InputParam> = {}): InputParam {
  return { label, name, type, ...rest }
}

export const chatModelAnchor = anchor('Chat model', 'model', 'BaseChatModel')

export const languageModelAnchor = anchor('Language model', 'model', 'BaseLanguageModel')

export const moderationAnchor = anchor('Input moderation', 'inputModeration', 'Moderation', {
  description: 'Checks the question before the model sees it',
  optional: true,
  list: true,
})

interface ChainParts extends Omit<ComponentDefinition, 'category' | 'baseClasses' | 'credential'> {
  baseClasses?: string[]
}

export function chainNode({ baseClasses = [], ...parts }: ChainParts): ComponentDefinition {
  return { ...parts, category: 'Chains', baseClasses: [parts.type, ...baseClasses, 'BaseChain', 'Runnable'] }
}
