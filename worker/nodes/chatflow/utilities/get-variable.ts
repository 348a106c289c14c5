import { textOf } from '../../../inputs/node-inputs.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'

export const getVariable: ChatNodeType = {
  definition: {
    label: 'Get Variable',
    name: 'getVariable',
    version: 2,
    type: 'GetVariable',
    category: 'Utilities',
    description: 'A value stored by Set Variable',
    baseClasses: ['GetVariable', 'Utilities'],
    inputs: [{ label: 'Variable name', name: 'variableName', type: 'string', placeholder: 'var1' }],
    outputs: [{ label: 'Output', name: 'output', baseClasses: ['string', 'number', 'boolean', 'json', 'array'] }],
  },
  run: async (context) => run(context),
}

function run({ inputs, state, variables }: StepContext): StepResult {
  const name = textOf(inputs.variableName).trim()
  if (name === '') throw new Error('Variable name is empty')
  if (!Object.hasOwn(state, name) && !Object.hasOwn(variables, name))
    throw new Error(`There is no variable "${name}". Set it before with Set Variable.`)
  const value = Object.hasOwn(state, name) ? state[name] : variables[name]
  const isData = value !== undefined && typeof value !== 'string'
  return { input: { variableName: name }, output: { content: textOf(value), ...(isData && { json: value }) } }
}
