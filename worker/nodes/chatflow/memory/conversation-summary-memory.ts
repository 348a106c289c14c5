import { summarize } from '../../../llm/memory.ts'
import type { ComponentNodeType } from '../../types.ts'
import { requireComponent, toComponent } from '../component-types.ts'
import { chatModelAnchor } from '../definition.ts'
import { memoryKeyOf, memoryNode } from './definition.ts'

export const conversationSummaryMemory: ComponentNodeType = {
  definition: memoryNode({
    label: 'Conversation Summary Memory',
    name: 'conversationSummaryMemory',
    version: 2,
    type: 'ConversationSummaryMemory',
    description: 'A summary of the session, written by a model',
    inputs: [chatModelAnchor],
  }),
  async provide(context) {
    const { node, inputs, pastHistory } = context
    const model = await requireComponent(context, 'model', 'model', 'a chat model to the memory')
    return toComponent('memory', {
      label: node.label,
      key: memoryKeyOf(inputs),
      async read() {
        if (pastHistory.length === 0) return { turns: [] }
        const { text, usage } = await summarize(pastHistory, model.open, context)
        return { turns: [{ role: 'system', content: `Summary of the earlier conversation:\n${text}` }], usage }
      },
    })
  },
}
