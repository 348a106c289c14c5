/** What definitions of moderations have in common. */
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { textOf } from '../../../inputs/node-inputs.ts'

type DefinitionFields = Omit<ComponentDefinition, 'category' | 'baseClasses' | 'type'>

export function moderationNode(own: DefinitionFields): ComponentDefinition {
  return { ...own, type: 'Moderation', category: 'Moderation', baseClasses: ['Moderation'] }
}

const DEFAULT_REFUSAL = 'I cannot answer this: the question is against the rules of this chat.'

export const errorMessageParam: InputParam = {
  label: 'Error message',
  name: 'moderationErrorMessage',
  type: 'string',
  rows: 2,
  description: 'Answer to a blocked question',
  default: DEFAULT_REFUSAL,
  optional: true,
}

export const refusalText = (inputs: Record<string, unknown>): string =>
  textOf(inputs.moderationErrorMessage).trim() || DEFAULT_REFUSAL
