import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { flowGlobals } from '../../../inputs/function-globals.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'
import { anchor } from '../definition.ts'

export const chatCustomFunction: ChatNodeType = {
  definition: {
    label: 'Custom JS Function',
    name: 'customFunction',
    version: 3,
    type: 'CustomFunction',
    category: 'Utilities',
    description: 'Runs your JavaScript in a sandbox',
    hint: 'Use fetch, or require axios, node-fetch, assert, buffer, crypto, events, path, querystring, timers or url. Limits: 20 requests, one second of CPU time, one minute in total.',
    baseClasses: ['CustomFunction', 'Utilities'],
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
      { label: 'Function name', name: 'functionName', type: 'string', optional: true, placeholder: 'My Function' },
      anchor('Additional tools', 'tools', 'Tool', {
        description: 'Ignored: the code cannot call tools',
        list: true,
        optional: true,
        legacy: true,
      }),
      {
        label: 'JavaScript function',
        name: 'javascriptFunction',
        type: 'code',
        description: 'A function body. Can use await, must return a string or an object.',
      },
    ],
    outputs: [
      { label: 'Output', name: 'output', baseClasses: ['string', 'number', 'boolean', 'json', 'array'] },
      { label: 'Ending node', name: 'EndingNode', baseClasses: ['CustomFunction'] },
    ],
  },
  run,
}

async function run(context: StepContext): Promise<StepResult> {
  const { rawInputs, isLast, emit } = context
  const code = textOf(rawInputs.javascriptFunction)
  const { value, input } = await runFunction(code, context)
  const content = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  if (isLast && content) emit({ event: 'token', data: content })
  const isData = value !== undefined && typeof value !== 'string'
  return { input, output: { content, ...(isData && { json: value }) }, value }
}

const RESERVED = ['$input', '$vars', '$flow']

/** Runs the code of a chat flow's node. Throws an Error that names what is wrong. */
export async function runFunction(code: string, context: StepContext) {
  const { inputs, sandbox, signal, barrier } = context
  if (code.trim() === '') throw new Error('The function is empty')
  const given = inputs.functionInputVariables
  const read = typeof given === 'string' && given.trim() !== '' ? tryParseJson(given) : given || {}
  if (!isRecord(read)) throw new Error('Input variables must be a JSON object')
  const variables = Object.entries(read).map(([name, value]) => [`$${name.trim().replace(/^\$/, '')}`, value] as const)
  for (const [name] of variables) {
    if (RESERVED.includes(name)) throw new Error(`Input variable "${name}": this name is reserved. Choose another one.`)
    if (!/^\$[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
      throw new Error(`Input variable "${name}": use only letters, digits and underscores`)
  }
  const globals = { ...flowGlobals(code, context), ...Object.fromEntries(variables) }
  const { value } = await sandbox.run({ code, globals, signal, beforeEffect: barrier })
  return { value, input: { inputVariables: read, code } }
}
