import { textOf } from '../../../inputs/node-inputs.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'
import { runFunction } from './custom-function.ts'

const RESULT = ['string', 'number', 'boolean', 'json', 'array']

export const ifElseFunction: ChatNodeType = {
  definition: {
    label: 'IfElse Function',
    name: 'ifElseFunction',
    version: 2,
    type: 'IfElseFunction',
    category: 'Utilities',
    description: 'Branches on the result of a function',
    baseClasses: ['IfElseFunction', 'Utilities'],
    inputs: [
      {
        label: 'Input variables',
        name: 'functionInputVariables',
        type: 'json',
        description: 'Values the code can read as $name',
        optional: true,
        acceptVariable: true,
        list: true,
      },
      { label: 'If/else name', name: 'functionName', type: 'string', optional: true, placeholder: 'Check the amount' },
      {
        label: 'If function',
        name: 'ifFunction',
        type: 'code',
        description:
          'A function body. The return value is passed to True. If it is empty, 0 or false, the Else function runs',
        default: 'if ("hello" == "hello") {\n  return true;\n}',
      },
      {
        label: 'Else function',
        name: 'elseFunction',
        type: 'code',
        description: 'A function body. The return value is passed to False',
        default: 'return false;',
      },
    ],
    outputs: [
      { label: 'True', name: 'returnTrue', baseClasses: RESULT, isAnchor: true },
      { label: 'False', name: 'returnFalse', baseClasses: RESULT, isAnchor: true },
    ],
  },
  run,
}

async function run(context: StepContext): Promise<StepResult> {
  const { rawInputs } = context
  const first = await runFunction(textOf(rawInputs.ifFunction), context)
  if (first.value) return resultOf(first.input, first.value, 0)
  const code = textOf(rawInputs.elseFunction)
  if (code.trim() === '') return resultOf(first.input, '', 1)
  const second = await runFunction(code, context)
  return resultOf(second.input, second.value, 1)
}

function resultOf(input: unknown, value: unknown, taken: 0 | 1): StepResult {
  const content = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const isData = value !== undefined && typeof value !== 'string'
  return { input, output: { content, ...(isData && { json: value }) }, value, takenOutputs: [taken] }
}
