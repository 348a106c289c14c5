import { loopTarget } from '#contract/flow/kinds/agentflow/loop.ts'
import { numberOf, textOf } from '../../inputs/node-inputs.ts'
import { agentflowNode } from '../shared/definition.ts'
import { updateStateParam } from '../shared/params.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

/** Maximum count of a new node, and of one whose field is empty. */
const DEFAULT_COUNT = 5

export const loop: NodeType = {
  definition: agentflowNode({
    label: 'Loop',
    name: 'loopAgentflow',
    version: 1.2,
    type: 'Loop',
    color: '#FFA07A',
    hideOutput: true,
    description: 'Jumps back to an earlier node and runs everything after it again',
    hint: 'With a max loop count of 5, the nodes run five times in total. A new pass starts when everything after the target node has finished. An outer loop resets the count of the loops inside it.',
    inputs: [
      {
        label: 'Loop back to',
        name: 'loopBackToNode',
        type: 'asyncOptions',
        loadMethod: 'listPreviousNodes',
        freeSolo: true,
        description: 'The node where each new pass starts',
      },
      {
        label: 'Max loop count',
        name: 'maxLoopCount',
        type: 'number',
        default: DEFAULT_COUNT,
        optional: true,
        description: `Total number of passes. Default: ${DEFAULT_COUNT}`,
      },
      {
        label: 'Fallback message',
        name: 'fallbackMessage',
        type: 'string',
        rows: 4,
        acceptVariable: true,
        optional: true,
        description: 'The response when the maximum count is reached',
      },
      updateStateParam('loopUpdateState'),
    ],
  }),
  async run(context): Promise<StepResult> {
    const { inputs, node, loopCount, isLast, emit } = context
    const nodeID = loopTarget({ data: { ...node, inputs } })
    if (!nodeID) throw new Error('Choose where to loop back')
    const maxLoopCount = Math.floor(Math.max(1, numberOf(inputs.maxLoopCount, DEFAULT_COUNT)))
    const fallbackMessage = textOf(inputs.fallbackMessage)
    const jumpsBack = loopCount + 1 < maxLoopCount
    const content = jumpsBack
      ? jumpMessage(context)
      : fallbackMessage || `The loop ended after ${rounds(maxLoopCount)}.`
    if (!jumpsBack && isLast) emit({ event: 'token', data: content })
    return {
      input: { loopBackToNode: inputs.loopBackToNode, maxLoopCount },
      output: { content, nodeID, maxLoopCount, fallbackMessage },
      ...(jumpsBack && { jumpTo: nodeID }),
    }
  },
}

/** Returns `Back to Writer`. Labels may contain dashes, ids don't. */
function jumpMessage({ inputs }: StepContext): string {
  const [id = '', ...label] = textOf(inputs.loopBackToNode).split('-')
  return `Back to ${label.join('-') || id}`
}

function rounds(count: number): string {
  return count === 1 ? 'one round' : `${count} rounds`
}
