import { flagOf, textOf } from '../../../inputs/node-inputs.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'
import { anchor } from '../definition.ts'

export const setVariable: ChatNodeType = {
  definition: {
    label: 'Set Variable',
    name: 'setVariable',
    version: 2.1,
    type: 'SetVariable',
    category: 'Utilities',
    description: 'Stores a value for Get Variable',
    baseClasses: ['SetVariable', 'Utilities'],
    inputs: [
      anchor('Input', 'input', 'string | number | boolean | json | array', { optional: true, list: true }),
      { label: 'Variable name', name: 'variableName', type: 'string', placeholder: 'var1' },
      {
        label: 'Show output',
        name: 'showOutput',
        type: 'boolean',
        optional: true,
        description: 'Passes the value on',
        additionalParams: true,
      },
    ],
    outputs: [{ label: 'Output', name: 'output', baseClasses: ['string', 'number', 'boolean', 'json', 'array'] }],
  },
  run: async (context) => run(context),
}

function run({ inputs, state }: StepContext): StepResult {
  const name = textOf(inputs.variableName).trim()
  if (name === '') throw new Error('Variable name is empty')
  const given = Array.isArray(inputs.input) && inputs.input.length === 1 ? inputs.input[0] : inputs.input
  const value = given ?? ''
  const isData = typeof value !== 'string'
  return {
    input: { variableName: name, showOutput: flagOf(inputs.showOutput) },
    output: { content: textOf(value), ...(isData && { json: value }) },
    state: { ...state, [name]: value },
  }
}
