import { textOf } from '../../inputs/node-inputs.ts'
import { agentflowNode } from '../shared/definition.ts'
import type { NodeType } from '../types.ts'

export const directReply: NodeType = {
  definition: agentflowNode({
    label: 'Direct Reply',
    name: 'directReplyAgentflow',
    version: 1,
    type: 'DirectReply',
    color: '#4DDBBB',
    hideOutput: true,
    description: 'Sends a fixed reply and ends this branch',
    inputs: [{ label: 'Message', name: 'directReplyMessage', type: 'string', rows: 4, acceptVariable: true }],
  }),
  async run({ inputs, isLast, emit }) {
    const content = textOf(inputs.directReplyMessage)
    if (isLast && content) emit({ event: 'token', data: content })
    return { input: { directReplyMessage: content }, output: { content } }
  },
}
