import { additionalParam } from '#contract/flow/params/builders.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { ChatNodeType } from '../../types.ts'
import { moderated } from '../chains/chain-answer.ts'
import { agentNode, answerWithTools } from './agent-answer.ts'

const SYSTEM_MESSAGE =
  'You are an assistant that helps with a wide range of tasks, from simple questions to discussions in depth. Use the tools where they help, and answer in your own words.'

export const conversationalAgent: ChatNodeType = {
  definition: agentNode(
    {
      label: 'Conversational Agent',
      name: 'conversationalAgent',
      version: 3,
      description: 'An agent that remembers the conversation',
      hint: 'Works like the Tool Agent: uses the model’s native tool calls instead of a text format.',
      deprecateMessage: 'The Tool Agent does the same.',
    },
    [additionalParam('System message', 'systemMessage', { rows: 4, default: SYSTEM_MESSAGE })],
  ),
  run: (context) =>
    moderated(context, () => answerWithTools(context, textOf(context.inputs.systemMessage) || SYSTEM_MESSAGE)),
}
