import { flowGlobals } from '../../inputs/function-globals.ts'
import { itemsOf, textOf } from '../../inputs/node-inputs.ts'
import { agentflowNode } from '../shared/definition.ts'
import { updateStateParam } from '../shared/params.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

const EXAMPLE = `// $input is the flow's input, $flow.state its state, $name the input variable "name".
const words = $input.split(' ')
return words.length + ' words'
`

export const customFunction: NodeType = {
  definition: agentflowNode({
    label: 'Custom Function',
    name: 'customFunctionAgentflow',
    version: 1.1,
    type: 'CustomFunction',
    color: '#E4B7FF',
    description: 'Runs your JavaScript in a sandbox',
    hint: 'Use fetch, or require axios, node-fetch, assert, buffer, crypto, events, path, querystring, timers or url. Limits: 20 requests, one second of CPU time, one minute in total.',
    inputs: [
      {
        label: 'Input variables',
        name: 'customFunctionInputVariables',
        type: 'array',
        description: 'Values the code can read as $name',
        optional: true,
        acceptVariable: true,
        array: [
          { label: 'Variable name', name: 'variableName', type: 'string' },
          { label: 'Variable value', name: 'variableValue', type: 'string', acceptVariable: true },
        ],
      },
      {
        label: 'JavaScript function',
        name: 'customFunctionJavascriptFunction',
        type: 'code',
        codeExample: EXAMPLE,
        description: 'A function body. Can use await, must return a string or an object.',
      },
      updateStateParam('customFunctionUpdateState'),
    ],
  }),
  run,
}

async function run(context: StepContext): Promise<StepResult> {
  const { rawInputs, inputs, sandbox, signal, barrier, isLast, emit } = context
  const code = textOf(rawInputs.customFunctionJavascriptFunction)
  if (code.trim() === '') throw new Error('JavaScript function is empty')
  const variables = inputVariables(inputs.customFunctionInputVariables)
  const globals = { ...flowGlobals(code, context), ...variables }
  const { value } = await sandbox.run({ code, globals, signal, beforeEffect: barrier })
  const content = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  if (isLast && content) emit({ event: 'token', data: content })
  return { input: { inputVariables: itemsOf(inputs.customFunctionInputVariables), code }, output: { content }, value }
}

const RESERVED = ['$input', '$vars', '$flow']

function inputVariables(value: unknown): Record<string, unknown> {
  const entries = itemsOf(value).flatMap(({ variableName, variableValue }): [string, unknown][] => {
    const name = textOf(variableName).trim().replace(/^\$/, '')
    if (name === '') return []
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
      throw new Error(
        `Input variable "${name}": use only letters, digits and underscores, and don't start with a digit`,
      )
    if (RESERVED.includes(`$${name}`))
      throw new Error(`Input variable "${name}": this name is reserved. Choose another one.`)
    return [[`$${name}`, variableValue]]
  })
  return Object.fromEntries(entries)
}
