import { additionalParam } from '#contract/flow/params/builders.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ChatNodeType } from '../../types.ts'
import { moderated } from '../chains/chain-answer.ts'
import { anchor } from '../definition.ts'
import { agentNode, answerWithTools } from './agent-answer.ts'

const SYSTEM_MESSAGE = 'You are a helpful AI assistant.'

export const toolAgent: ChatNodeType = {
  definition: agentNode(
    {
      label: 'Tool Agent',
      name: 'toolAgent',
      version: 2,
      description: 'A model that calls tools until it can answer',
    },
    [
      anchor('Chat prompt template', 'chatPromptTemplate', 'ChatPromptTemplate', {
        description: 'Replaces the system message',
        optional: true,
      }),
      additionalParam('System message', 'systemMessage', {
        rows: 4,
        description: 'Ignored when a Chat Prompt Template is connected',
        default: SYSTEM_MESSAGE,
      }),
      additionalParam('Enable detailed streaming', 'enableDetailedStreaming', {
        type: 'boolean',
        default: false,
        description: 'Ignored: tool calls always stream',
        legacy: true,
      }),
    ],
  ),
  run: (context) =>
    moderated(context, () => answerWithTools(context, textOf(context.inputs.systemMessage) || SYSTEM_MESSAGE)),
}
