/** What definitions of output parsers have in common. */
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'

type DefinitionFields = Omit<ComponentDefinition, 'category' | 'baseClasses'>

export function parserNode({ inputs, ...own }: DefinitionFields): ComponentDefinition {
  return {
    ...own,
    category: 'Output Parsers',
    baseClasses: [own.type, 'BaseLLMOutputParser', 'Runnable'],
    inputs: [autofixParam, ...inputs],
  }
}

const autofixParam: InputParam = {
  label: 'Autofix',
  name: 'autofixParser',
  type: 'boolean',
  optional: true,
  description: 'Retries once with the error when the answer is invalid',
}
