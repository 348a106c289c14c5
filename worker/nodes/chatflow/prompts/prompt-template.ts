import { textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { fill, variablesIn } from './template.ts'
import { promptValues, promptValuesParam } from './values.ts'

export const promptTemplate: ComponentNodeType = {
  definition: {
    label: 'Prompt Template',
    name: 'promptTemplate',
    version: 1,
    type: 'PromptTemplate',
    category: 'Prompts',
    description: 'A message with {variables} to fill in',
    baseClasses: ['PromptTemplate', 'BaseStringPromptTemplate', 'BasePromptTemplate'],
    inputs: [
      {
        label: 'Template',
        name: 'template',
        type: 'string',
        rows: 4,
        placeholder: 'What is a good name for a company that makes {product}?',
      },
      promptValuesParam,
    ],
  },
  async provide({ inputs }) {
    const template = textOf(inputs.template)
    return toComponent('prompt', {
      variables: variablesIn(template),
      values: promptValues(inputs.promptValues),
      messages: (values) => [{ role: 'user', content: fill(template, values) }],
    })
  },
}
