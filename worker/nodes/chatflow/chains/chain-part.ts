/** Chains and agents as parts: they answer for a node as they would in the chat. */

import { textOf } from '../../../inputs/node-inputs.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import type { ChatNodeType, NodeType } from '../../types.ts'
import { type ChainPart, partOf } from '../roles.ts'

/** Returns a node that runs where nothing follows it, and is otherwise asked by the node that it is connected to. */
export const alsoPart = (node: NodeType): ChatNodeType => ({
  runsFor: [],
  ...node,
  provide: async (context) => {
    const ask: ChainPart['ask'] = async (question, idempotencyKey = context.idempotencyKey) => {
      const input = { ...context.input, question, text: question, history: [], uploads: [] }
      const { output } = await node.run({ ...context, idempotencyKey, input, isLast: false })
      const { sourceDocuments, usageMetadata: usage } = output
      return {
        text: textOf(output.content),
        ...(usage && { usage }),
        ...(Array.isArray(sourceDocuments) && { sourceDocuments: sourceDocuments as KnowledgeDocument[] }),
      }
    }
    return partOf('chain', { ask })
  },
})
