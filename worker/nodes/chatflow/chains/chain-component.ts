/** Chains and agents as components: they answer for a node as they would in the chat. */

import { textOf } from '../../../inputs/node-inputs.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import type { ChatNodeType, NodeType } from '../../types.ts'
import { type ChainComponent, toComponent } from '../component-types.ts'

/** Returns a node that runs where nothing follows it, and is otherwise asked by the node that it is connected to. */
export const withChainComponent = (node: NodeType): ChatNodeType => ({
  runsFor: [],
  ...node,
  provide: async (context) => {
    const ask: ChainComponent['ask'] = async (question, idempotencyKey = context.idempotencyKey) => {
      const input = { ...context.input, question, text: question, history: [], uploads: [] }
      const { output } = await node.run({ ...context, idempotencyKey, input, isLast: false })
      const { sourceDocuments, usageMetadata: usage } = output
      return {
        text: textOf(output.content),
        ...(usage && { usage }),
        ...(Array.isArray(sourceDocuments) && { sourceDocuments: sourceDocuments as KnowledgeDocument[] }),
      }
    }
    return toComponent('chain', { ask })
  },
})
