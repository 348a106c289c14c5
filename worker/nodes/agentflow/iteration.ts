import { fencedJson, parseFencedJson } from '#contract/data/json.ts'
import { numberOf, textOf } from '../../inputs/node-inputs.ts'
import { parseLenientJson } from '../../text/lenient-json.ts'
import { agentflowNode } from '../shared/definition.ts'
import type { EndedTurn, Group, NodeType, StepContext } from '../types.ts'

/** Equals the number of steps that a run executes in parallel. */
const MAX_CONCURRENCY = 8

interface Memory extends Pick<Group, 'atOnce' | 'onError'> {
  items: unknown[]
  /** Absent until the items have run. */
  ended?: readonly EndedTurn[]
}

export const iteration: NodeType = {
  definition: agentflowNode({
    label: 'Iteration',
    name: 'iterationAgentflow',
    version: 1,
    type: 'Iteration',
    color: '#9C89B8',
    description: 'Runs the nodes inside once for each item of a list',
    hint: 'Nodes inside read the current item as {{$iteration}} and can reference nodes before the iteration. Results keep the order of the items, empty ones included. A failed item does not change the flow state.',
    inputs: [
      {
        label: 'Array input',
        name: 'iterationInput',
        type: 'string',
        description: 'A JSON list',
        acceptVariable: true,
        rows: 4,
      },
      {
        label: 'Concurrency',
        name: 'iterationConcurrency',
        type: 'number',
        default: 1,
        step: 1,
        optional: true,
        description:
          'How many items run at the same time, up to 8. With 1, each item sees the flow state left by the previous item. With more, all items start with the same state.',
      },
      {
        label: 'If an item fails',
        name: 'iterationOnError',
        type: 'options',
        options: [
          { label: 'Continue', name: 'continue', description: 'The item’s result contains the error' },
          { label: 'Fail', name: 'stop', description: 'The whole iteration fails' },
        ],
        default: 'continue',
        optional: true,
      },
    ],
  }),
  run: () => Promise.reject(new Error('An iteration node cannot run on its own')),
  team: { begin, next, after, end },
}

function begin({ inputs }: StepContext) {
  const onError = inputs.iterationOnError === 'stop' ? ('stop' as const) : ('continue' as const)
  const atOnce = Math.min(MAX_CONCURRENCY, Math.max(1, Math.floor(numberOf(inputs.iterationConcurrency, 1))))
  const items = readList(inputs.iterationInput)
  return { memory: { items, atOnce, onError }, input: { iterationInput: items } }
}

/** All items are one group. */
function next({ items, atOnce, onError, ended }: Memory): Group | undefined {
  const turns = items.map((value) => ({ member: '', value }))
  return ended ? undefined : { turns, atOnce, onError, isFinal: true }
}

function after(memory: Memory, ended: readonly EndedTurn[]): Memory {
  return { ...memory, ended }
}

function end({ ended = [] }: Memory) {
  const iterationResults = ended.map(({ text, error }, index) =>
    error === undefined ? text : `Error in item ${index + 1}: ${error}`,
  )
  return { output: { iterationResults, content: iterationResults.join('\n') } }
}

/** Reads a list, or lenient JSON of a list, bare or in a fenced block. Throws when it is not a list. */
export function readList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const text = textOf(value).trim()
  if (text === '') throw new Error('Array input is empty. Enter a JSON list.')
  const list = parseFencedJson(text) ?? lenient(text)
  if (Array.isArray(list)) return list
  throw new Error(`Array input is not a list: ${text.length > 100 ? `${text.slice(0, 100)}…` : text}`)
}

function lenient(text: string): unknown {
  try {
    return parseLenientJson(fencedJson(text) ?? text)
  } catch {
    return undefined
  }
}
