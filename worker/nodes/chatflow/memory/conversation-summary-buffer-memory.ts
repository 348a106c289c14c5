import { numberOf } from '../../../inputs/node-inputs.ts'
import { splitAt, summarize } from '../../../llm/memory.ts'
import type { ComponentNodeType } from '../../types.ts'
import { requireComponent, toComponent } from '../component-types.ts'
import { chatModelAnchor } from '../definition.ts'
import { memoryKeyOf, memoryNode } from './definition.ts'

const MAX_TOKENS = 2000

export const conversationSummaryBufferMemory: ComponentNodeType = {
  definition: memoryNode({
    label: 'Conversation Summary Buffer Memory',
    name: 'conversationSummaryBufferMemory',
    version: 1,
    type: 'ConversationSummaryBufferMemory',
    description: 'The latest messages of the session, and a summary of the older ones',
    inputs: [
      chatModelAnchor,
      {
        label: 'Max token limit',
        name: 'maxTokenLimit',
        type: 'number',
        step: 1,
        default: MAX_TOKENS,
        description: 'When the conversation exceeds this many tokens, the oldest messages are summarized',
      },
    ],
  }),
  async provide(context) {
    const { node, inputs, pastHistory } = context
    const model = await requireComponent(context, 'model', 'model', 'a chat model to the memory')
    return toComponent('memory', {
      label: node.label,
      key: memoryKeyOf(inputs),
      async read() {
        const { old, recent } = splitAt(pastHistory, numberOf(inputs.maxTokenLimit, MAX_TOKENS))
        if (old.length === 0) return { turns: recent }
        const { text, usage } = await summarize(old, model.open, context)
        return {
          turns: [{ role: 'system', content: `Summary of the earlier conversation:\n${text}` }, ...recent],
          usage,
        }
      },
    })
  },
}
