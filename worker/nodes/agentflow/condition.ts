import { contains } from '#contract/data/text.ts'
import type { InputParam, ParamOption } from '#contract/flow/params/definition.ts'
import { flagOf, itemsOf, textOf } from '../../inputs/node-inputs.ts'
import { plainText } from '../../text/markdown-to-text.ts'
import { agentflowNode } from '../shared/definition.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

type Item = Record<string, unknown>

const ITEM_TYPE = 'conditions[$index].type'
const ITEM_OPERATION = 'conditions[$index].operation'

export const condition: NodeType = {
  definition: agentflowNode({
    label: 'Condition',
    name: 'conditionAgentflow',
    version: 1,
    type: 'Condition',
    color: '#FFB938',
    description: 'Takes the first branch whose condition is true, otherwise Else',
    hint: 'Exactly one branch runs. An empty number does not count as 0. Only the first 100,000 characters of a text are compared (with “Ends with”, the last). Regular expressions have a time limit; an invalid one never matches.',
    inputs: [conditionsParam()],
    outputs: [
      { label: '0', name: '0', description: 'Condition 0' },
      { label: '1', name: '1', description: 'Else' },
    ],
  }),
  run,
}

async function run(context: StepContext): Promise<StepResult> {
  const items = itemsOf(context.inputs.conditions)
  let taken = items.length
  for (const [index, item] of items.entries()) {
    if (await holds(item, context)) {
      taken = index
      break
    }
  }
  const otherwise = { type: 'string', value1: '', operation: 'equal', value2: '' }
  const conditions = [...items, otherwise].map((item, index) => ({ ...item, isFulfilled: index === taken }))
  return { input: { conditions: items }, output: { conditions }, takenOutputs: [taken] }
}

async function holds({ type, operation, value1, value2 }: Item, context: StepContext): Promise<boolean> {
  const name = textOf(operation) || 'equal'
  if (name === 'isEmpty') return isEmpty(value1)
  if (name === 'notEmpty') return !isEmpty(value1)
  if (name === 'regex') return matches(words(value1), textOf(value2), context)
  const [a, b] = [value1, value2].map((value) => typed(value, { type, fromEnd: name === 'endsWith' }))
  const compare = COMPARISONS[name]
  if (!compare) throw new Error(`Unknown operation "${name}". Choose one from the list.`)
  return compare(a as Comparable, b as Comparable)
}

type Comparable = string | number | boolean

const COMPARISONS: Record<string, (a: Comparable, b: Comparable) => boolean> = {
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  contains: (a, b) => contains(String(a), String(b)),
  notContains: (a, b) => !contains(String(a), String(b)),
  startsWith: (a, b) => String(a).startsWith(String(b)),
  endsWith: (a, b) => String(a).endsWith(String(b)),
  smaller: (a, b) => a < b,
  smallerEqual: (a, b) => a <= b,
  larger: (a, b) => a > b,
  largerEqual: (a, b) => a >= b,
}

function typed(value: unknown, { type, fromEnd }: { type: unknown; fromEnd: boolean }): Comparable {
  if (type === 'number') return Number.parseFloat(textOf(value)) || 0
  if (type === 'boolean') return flagOf(value)
  return words(value, fromEnd)
}

/** Characters of a text that are compared. */
const MAX_COMPARED = 100_000

function words(value: unknown, fromEnd = false): string {
  const text = textOf(value)
  return plainText(fromEnd ? text.slice(-MAX_COMPARED) : text.slice(0, MAX_COMPARED))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || textOf(value).trim() === ''
}

/** An invalid expression matches nothing. */
const MATCH = `
  let expression
  try { expression = new RegExp($source) } catch { return false }
  return expression.test($text)`

/** Runs in the sandbox, where a slow expression is stopped. The editor escapes brackets and asterisks. */
async function matches(text: string, pattern: string, { sandbox, signal }: StepContext): Promise<boolean> {
  const source = pattern.replace(/\\([[\]*])/g, '$1')
  try {
    const { value } = await sandbox.run({ code: MATCH, globals: { $source: source, $text: text }, signal })
    return value === true
  } catch (error) {
    signal.throwIfAborted()
    const shown = source.length > 100 ? `${source.slice(0, 100)}…` : source
    throw new Error(`The expression ${shown} takes too long on this text. Avoid nested repetition such as (a+)+.`, {
      cause: error,
    })
  }
}

function conditionsParam(): InputParam {
  return {
    label: 'Conditions',
    name: 'conditions',
    type: 'array',
    description: 'Evaluated from top to bottom',
    acceptVariable: true,
    default: [{ type: 'string', value1: '', operation: 'equal', value2: '' }],
    array: [
      {
        label: 'Type',
        name: 'type',
        type: 'options',
        options: [
          { label: 'String', name: 'string' },
          { label: 'Number', name: 'number' },
          { label: 'Boolean', name: 'boolean' },
        ],
        default: 'string',
      },
      ...comparison('string', '', [
        { label: 'Contains', name: 'contains' },
        { label: 'Ends with', name: 'endsWith' },
        { label: 'Equal', name: 'equal' },
        { label: 'Not contains', name: 'notContains' },
        { label: 'Not equal', name: 'notEqual' },
        { label: 'Regex', name: 'regex' },
        { label: 'Starts with', name: 'startsWith' },
        { label: 'Is empty', name: 'isEmpty' },
        { label: 'Not empty', name: 'notEmpty' },
      ]),
      ...comparison('number', 0, [
        { label: 'Smaller', name: 'smaller' },
        { label: 'Smaller or equal', name: 'smallerEqual' },
        { label: 'Equal', name: 'equal' },
        { label: 'Not equal', name: 'notEqual' },
        { label: 'Larger', name: 'larger' },
        { label: 'Larger or equal', name: 'largerEqual' },
        { label: 'Is empty', name: 'isEmpty' },
        { label: 'Not empty', name: 'notEmpty' },
      ]),
      ...comparison('boolean', false, [
        { label: 'Equal', name: 'equal' },
        { label: 'Not equal', name: 'notEqual' },
      ]),
    ],
  }
}

/** Parameters for conditions of one type: both values and the operation. */
function comparison(
  type: 'string' | 'number' | 'boolean',
  nothing: string | number | boolean,
  options: ParamOption[],
): InputParam[] {
  const show = { [ITEM_TYPE]: type }
  const acceptVariable = type === 'boolean' ? {} : { acceptVariable: true }
  const value = { type, show, ...acceptVariable }
  return [
    {
      label: 'Value 1',
      name: 'value1',
      ...value,
      default: type === 'boolean' ? false : '',
    },
    {
      label: 'Operation',
      name: 'operation',
      type: 'options',
      options,
      default: 'equal',
      show,
    },
    {
      label: 'Value 2',
      name: 'value2',
      ...value,
      default: nothing,
      ...(type === 'string' && { hide: { [ITEM_OPERATION]: ['isEmpty', 'notEmpty'] } }),
    },
  ]
}
